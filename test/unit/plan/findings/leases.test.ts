import assert from "node:assert/strict";
import { comingOf, nearOf } from "../../../../plan/findings/coming.ts";
import { noticeText } from "../../../../plan/words/notices.ts";
import { cluster } from "../../cluster/leaving.ts";
import { configuration } from "../../samples.ts";
import { textOf } from "../planned.ts";

const { settings, members } = configuration({
  staff: [
    { group: "tas", role: "assist", until: "2026-12-20" },
    { subject: "tina", role: "edit", until: "2026-12-18T18:00Z", over: { members: ["bob"] } },
    { subject: "vera", role: "view" },
  ],
  members: ["ada", "bob"].map((member) => ({ member, type: "user" })),
});
const look = (now: string) => ({ members, settings, snapshot: cluster(), now: new Date(now) });

describe("the end of a lease", () => {
  it("is told beforehand on the days of notices, once for all whom it is over, the next one first", () => {
    assert.deepEqual(nearOf(look("2026-12-03T17:59:00Z"), "staffEnds"), []);
    assert.equal(
      textOf(nearOf(look("2026-12-17T12:00:00Z"), "staffEnds")),
      "Access of staff ends soon: oidc:tina (edit) until 2026-12-18T18:00Z (in 1 day), over bob\n" +
        "Access of staff ends soon: group oidc:tas (assist) until 2026-12-20 (in 3 days), over ada, bob",
    );
  });

  it("is told to the member, with the role", () => {
    const [first] = nearOf(look("2026-12-18T12:00:00Z"), "staffEnds");
    assert.ok(first?.code === "staffEnds");
    assert.equal(
      noticeText({ ...first, code: "staffEnds" }),
      "Access of staff to your namespace ends: oidc:tina (edit) until 2026-12-18T18:00Z (today).",
    );
  });

  it("is told at each threshold, and to nobody once it is over", () => {
    const steps = (now: string) => comingOf(look(now)).map(({ key, step }) => [key, step]);
    const [tina, tas] = ["staffEnds oidc:tina edit 2026-12-18T18:00Z", "staffEnds group oidc:tas assist 2026-12-20"];
    assert.deepEqual(steps("2026-12-07T00:00:00Z"), [
      [tina, 14],
      [tas, 14],
      [tas, 14],
    ]);
    assert.deepEqual(steps("2026-12-18T18:00:00Z")[0], [tina, undefined]);
  });
});
