import assert from "node:assert/strict";
import { logicalName } from "../../../../cluster/kinds/liveObject.ts";
import { standingIn } from "../../../../commands/report/digest.ts";
import { summaryOf } from "../../../../commands/report/print/summary.ts";
import { typeOf } from "../../../../config/names/urns.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { cluster } from "../../cluster/leaving.ts";
import { lookAfter, replanned } from "../../plan/decide/afterRun.ts";
import { configuration } from "../../samples.ts";
import { reportOn, urn } from "./previews.ts";

const ana = (more: object = {}) => configuration({ members: [{ member: "ana", type: "user", ...more }] });

/** The preview of a run whose state is lost, so that Pulumi makes all that is declared. */
function lost(before: Configuration, now: Configuration) {
  const after = lookAfter(before, cluster());
  const look = replanned(after, {}, { settings: now.settings, list: now.members });
  const steps = look.members.flatMap(({ member, objects }) =>
    objects.map(({ args, part, apiVersion, kind }) => ({
      op: "create",
      urn: urn(typeOf({ apiVersion, kind }), logicalName({ member: member.name, part })),
      new: { inputs: { ...args, apiVersion, kind } },
    })),
  );
  return { count: steps.length, report: reportOn(steps, { standing: standingIn(look) }) };
}

describe("a report on a state that has lost what is on the cluster", () => {
  it("tells of nobody who joins and nothing that changes, and how much is recorded", () => {
    const { count, report } = lost(ana(), ana());
    assert.deepEqual([report.joining, report.changing, report.access], [[], [], []]);
    assert.equal(summaryOf(report), `Nothing changes. ${count} objects are only recorded`);
  });

  it("tells what changes on the cluster by what is there", () => {
    const { report } = lost(ana({ maxCPUm: 500 }), ana({ maxCPUm: 900 }));
    assert.deepEqual(report.joining, []);
    assert.deepEqual(report.changing, [{ member: "ana", differences: [{ what: "CPU", from: "500m", to: "900m" }] }]);
  });
});
