import assert from "node:assert/strict";
import { lastState, namesIn } from "../../../../cluster/unread/lastState.ts";
import { restore } from "../fakeApiServer.ts";

const urn = (name: string) =>
  `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Service::${name}`;

describe("what Pulumi's state has", () => {
  it("is told by logical names, whatever stands in them, without what is to be deleted", () => {
    const resources = [{ urn: urn("bob/service") }, { urn: urn("a::b") }, { urn: urn("eve/service"), delete: true }];
    assert.deepEqual([...namesIn({ deployment: { resources } })], ["bob/service", "a::b"]);
  });

  it("can't be had where Pulumi names no stack, or has no command line to ask, which stops nothing", async () => {
    const { PATH } = process.env;
    process.env.PATH = "/nowhere";
    try {
      assert.equal(await lastState(), undefined);
    } finally {
      restore("PATH", PATH);
    }
  });

  it("is nothing before the first up", () => {
    assert.equal(namesIn({ deployment: {} }).size, 0);
    assert.equal(namesIn({ deployment: null }).size, 0);
    assert.equal(namesIn({ deployment: { resources: null } }).size, 0);
  });
});
