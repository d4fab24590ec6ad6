import assert from "node:assert/strict";
import { inGrace, unarchived } from "../../../../plan/findings/grace.ts";
import { alice, bob, carol, settings } from "../../samples.ts";
import { textOf } from "../planned.ts";

describe("who has left the list", () => {
  it("is told of in every run with the day of their removal, the next first", () => {
    const members = [{ ...carol, leaves: "2026-07-15" }, alice, { ...bob, leaves: "2026-06-16" }];
    assert.equal(
      textOf(inGrace(members)),
      "No longer in the list, and suspended until a run deletes everything of theirs on the day or later: " +
        "bob (2026-06-16), carol (2026-07-15). To undo it, put the entry back before that; to delete at once: docs/run/offboarding.md",
    );
    assert.equal(textOf(inGrace([alice])), undefined);
  });

  it("is told of as kept if the day is over and there is no archive, with the command that makes it", () => {
    const members = [
      { ...carol, leaves: "2026-06-14", isUnarchived: true as const },
      { ...bob, leaves: "2026-06-16" },
    ];
    assert.equal(
      textOf(unarchived(members, { ...settings, shards: { family: "prod", count: 2 } })),
      "No longer in the list, and kept after their day, because no archive has what is there now: carol. " +
        "'kubecamp up' and the watch archive and delete them; to see why it fails: " +
        "kubecamp members archive carol --stack prod",
    );
    assert.match(textOf(inGrace(members)) ?? "", /: bob \(2026-06-16\)\./);
  });
});
