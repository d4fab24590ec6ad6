import assert from "node:assert/strict";
import { LastState } from "../../../../../components/lastState.ts";
import { logicalNamesIn, membersIn } from "../../../../../plan/decisions/unread/lastState.ts";
import { restore } from "../../../cluster/fakeApiServer.ts";

const urn = (name: string) =>
  `urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Service::${name}`;

describe("what Pulumi's state has", () => {
  it("reads from Pulumi's state logical names of any text, without what is to be deleted", () => {
    const resources = [{ urn: urn("bob/service") }, { urn: urn("a::b") }, { urn: urn("eve/service"), delete: true }];
    assert.deepEqual([...logicalNamesIn({ deployment: { resources } })], ["bob/service", "a::b"]);
  });

  it("reads from Pulumi's state members with the UID of their namespace, if only to be deleted", () => {
    const home = (name: string, uid: unknown) => ({
      urn: urn(`${name}/namespace`).replace("Service", "Namespace"),
      outputs: { metadata: { uid } },
    });
    const resources = [
      { urn: "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:core/v1:Namespace::access" },
      { urn: urn("bob/service"), outputs: { metadata: { uid: "another" } } },
      home("bob", "0123"),
      { urn: urn("bob/route/service") },
      home("eve", undefined),
      { ...home("fay", "4567"), delete: true },
      { urn: urn("gus/service") },
    ];
    const members = [...membersIn(resources)];
    assert.deepEqual(members, [
      ["bob", "0123"],
      ["eve", undefined],
      ["fay", "4567"],
    ]);
  });

  it("reads no Pulumi state, and stops nothing, without a stack's name or a command line to ask", async () => {
    const { PATH } = process.env;
    process.env.PATH = "/nowhere";
    try {
      assert.equal(await new LastState().names(), undefined);
      assert.equal(await new LastState().members(), undefined);
    } finally {
      restore("PATH", PATH);
    }
  });
});
