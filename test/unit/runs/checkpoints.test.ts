import assert from "node:assert/strict";
import { type Doing, isWorthALook, isWorthIt, needsCheckpoints } from "../../../runs/checkpoints.ts";

const urn = (name: string) => `urn:pulumi:prod::kubecamp::kubernetes:core/v1:Namespace::${name}`;
const making: Doing = { makes: 100, changes: 0, knows: 1000, deletes: [], buckets: [], uncompared: [], isStale: false };

describe("a run without checkpoints", () => {
  it("is safe where it makes and changes alone", () => {
    assert.equal(needsCheckpoints(making), undefined);
  });

  it("is not where it deletes: killed, it would leave a state that has what is gone", () => {
    assert.equal(
      needsCheckpoints({ ...making, deletes: [urn("bob/namespace")] }),
      "it deletes objects that the state would still have if it were killed (bob/namespace); only a run that creates and changes is safe without",
    );
    const two = needsCheckpoints({ ...making, deletes: [urn("bob/namespace"), urn("bob/role")] });
    assert.match(two ?? "", /\(bob\/namespace and 1 more\)/);
  });

  it("is not where one was killed before", () => {
    assert.match(needsCheckpoints({ ...making, isStale: true }) ?? "", /let one with checkpoints finish first/);
  });

  it("is not where it makes or changes buckets or keys: killed, nobody would find them", () => {
    assert.equal(
      needsCheckpoints({ ...making, buckets: [urn("bob/bucket/data")] }),
      "it creates or changes buckets or their keys, which no run would find if it were killed (bob/bucket/data)",
    );
  });

  it("is not where it changes what later runs compare in part: killed and taken back, the change would stay", () => {
    assert.equal(
      needsCheckpoints({ ...making, uncompared: [urn("bob/route/service")] }),
      "it changes Services or ConfigMaps, which later runs would not compare if it were killed (bob/route/service)",
    );
  });

  it("is worth it where much is made, or the state is large", () => {
    assert.deepEqual(
      [
        { makes: 0, knows: 9000 },
        { makes: 9, knows: 100 },
        { makes: 9, knows: 1000 },
        { makes: 100, knows: 0 },
      ].map((each) => isWorthIt({ ...making, ...each }, false)),
      [false, false, true, true],
    );
  });

  it("is worth a look at cluster and state where it makes more than ten, and enough to be worth it beside", () => {
    assert.deepEqual(
      [
        { makes: 9, knows: 9000 },
        { makes: 11, knows: 100 },
        { makes: 14, knows: 1000 },
        { makes: 110, knows: 0 },
      ].map(isWorthALook),
      [false, false, true, true],
    );
  });

  it("is always worth it where something is changed and nothing made: killed, it leaves nothing that the state does not know", () => {
    const changing = { ...making, makes: 0, changes: 1, knows: 10 };
    assert.equal(isWorthIt(changing, false), true);
    assert.equal(isWorthIt({ ...changing, makes: 1 }, false), false);
    assert.equal(isWorthIt({ ...changing, changes: 0 }, false), false);
  });
});
