import assert from "node:assert/strict";
import { ifUnknown } from "../../../../cluster/api/unknownKinds.ts";
import { stackKindsWhere } from "../../../../cluster/kinds/stackKinds.ts";

describe("what to do where the API server does not know a kind", () => {
  it("tells what to do about each kind that a cluster may not know, and about no other", () => {
    const said = stackKindsWhere().filter((kind) => ifUnknown(kind) !== undefined);
    const admission = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
    assert.deepEqual(said, [...stackKindsWhere(({ isOptional }) => isOptional), ...admission]);
    assert.deepEqual(["Pod", "APIService", "toString"].map(ifUnknown), [undefined, undefined, undefined]);
  });

  it("tells what a kind that the cluster does not know belongs to", () => {
    assert.match(ifUnknown("Middleware") ?? "", /^Traefik's own kinds/);
    assert.match(ifUnknown("Gateway") ?? "", /^The Gateway API/);
    assert.match(ifUnknown("ListenerSet") ?? "", /^ListenerSet, .*version 1\.5 or later/s);
    assert.match(ifUnknown("SecurityPolicy") ?? "", /^Envoy Gateway's own kinds, .*Envoy Gateway 1\.8/s);
  });
});
