import assert from "node:assert/strict";
import { isExpiring } from "../../../../commands/members/list.ts";
import { memberOverview } from "./memberOverview.ts";

describe("kubecamp members --expiring", () => {
  const isListed = (more: Parameters<typeof memberOverview>[1], days = 14) =>
    isExpiring(memberOverview("bob", more), "2026-06-15", days);

  it("lists who has a last day from today on to the last of these days", () => {
    assert.deepEqual(
      ["2026-06-14", "2026-06-15", "2026-06-29", "2026-06-30", undefined].map((expires) => isListed({ expires })),
      [false, true, true, false, false],
    );
    assert.deepEqual([isListed({ expires: "2026-06-15" }, 0), isListed({ expires: "2026-06-16" }, 0)], [true, false]);
  });

  it("lists members who have access, also while they sleep", () => {
    assert.deepEqual(
      (["ready", "pending", "asleep", "suspended", "expired", "leaving"] as const).map((state) =>
        isListed({ state, expires: "2026-06-16" }),
      ),
      [true, true, true, false, false, false],
    );
  });
});
