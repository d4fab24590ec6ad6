import assert from "node:assert/strict";
import { namesIn } from "../../../../cluster/unread/lastState.ts";

const urn = (name: string) =>
  `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Service::${name}`;

describe("what Pulumi's state has", () => {
  it("is told by logical names, whatever stands in them, without what is to be deleted", () => {
    const resources = [{ urn: urn("bob/service") }, { urn: urn("a::b") }, { urn: urn("eve/service"), delete: true }];
    assert.deepEqual([...namesIn({ deployment: { resources } })], ["bob/service", "a::b"]);
  });

  it("is nothing before the first up", () => {
    assert.equal(namesIn({ deployment: {} }).size, 0);
    assert.equal(namesIn({ deployment: null }).size, 0);
    assert.equal(namesIn({ deployment: { resources: null } }).size, 0);
  });
});
