import assert from "node:assert/strict";
import { slowCheckpoints } from "../../../../plan/findings/checkpoints.ts";
import { planFor } from "../../../../plan/plan.ts";
import { configuration } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

describe("a run that makes much", () => {
  const planOfMany = (count: number) => {
    const members = Array.from({ length: count }, (_, index) => ({ member: `m${index}`, type: "user" }));
    const { settings, members: list } = configuration({ members });
    return planOf(list, settings);
  };
  const said = (count: number, about = count) => {
    const plan = planOfMany(count);
    const names = new Set(plan.members.slice(0, about).map(({ member }) => member));
    return textOf(
      slowCheckpoints(
        plan,
        planFor(plan, (member) => names.has(member)),
      ),
    );
  };

  it("tells how long a run that makes much writes its state, and what does without", () => {
    assert.equal(
      said(100),
      "800 new objects of members, which Pulumi's own total has in it, with its components: Pulumi writes its whole state before and after each, which takes at least some 90 seconds; " +
        "'kubecamp up --stack dev' writes it once, and takes a tenth of the time (docs/run/up.md).",
    );
    assert.match(said(30) ?? "", /^240 new objects of members, .* at least some 10 seconds; /);
  });

  it("says nothing of state for a run that makes little, nor of members not in the run", () => {
    assert.equal(said(20), undefined);
    assert.equal(said(100, 3), undefined);
  });
});
