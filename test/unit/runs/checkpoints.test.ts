import assert from "node:assert/strict";
import { needsCheckpoints } from "../../../runs/checkpoints.ts";

const urn = (name: string) => `urn:pulumi:prod::kubecamp::kubernetes:core/v1:Namespace::${name}`;

describe("a run without checkpoints", () => {
  it("is safe where it makes and changes alone", () => {
    assert.equal(needsCheckpoints({ deletes: [], isDoubtful: false }), undefined);
  });

  it("is not where it deletes: killed, it would leave a state that has what is gone", () => {
    assert.equal(
      needsCheckpoints({ deletes: [urn("bob/namespace")], isDoubtful: false }),
      "it deletes what the state would go on to have if it were killed (bob/namespace); only what makes and changes is safe without",
    );
    const two = needsCheckpoints({ deletes: [urn("bob/namespace"), urn("bob/role")], isDoubtful: false });
    assert.match(two ?? "", /\(bob\/namespace and 1 more\)/);
  });

  it("is not where one was killed before", () => {
    assert.match(needsCheckpoints({ deletes: [], isDoubtful: true }) ?? "", /let one with checkpoints finish first/);
  });
});
