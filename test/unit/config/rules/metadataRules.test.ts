import assert from "node:assert/strict";
import { mistakes } from "../../samples.ts";

describe("a cloud's metadata address", () => {
  const egress = ["10.0.0.0/8", "169.254.169.254/32", "fd00:ec2::254/128"].map((cidr) => ({ cidr }));
  const bob = { member: "bob", type: "user", network: { egress } };

  it("refuses to open a cloud's metadata address by a members file, which may open others", () => {
    const why =
      "is where clouds hand out credentials of nodes, and whoever edits the members file can't decide that: " +
      "leave it out, or allow it in kubecamp:network or the member's type (member 'bob')";
    assert.deepEqual(mistakes({ membersFile: "members.yaml" }, { members: [bob] }), [
      `members[0].network.egress[1].cidr: "169.254.169.254/32" ${why}`,
      `members[0].network.egress[2].cidr: "fd00:ec2::254/128" ${why}`,
    ]);
  });

  it("opens a cloud's metadata address by the stack's own file, for all, a type, or a member", () => {
    assert.deepEqual(mistakes({ members: [bob] }), []);
    const stack = { membersFile: "members.yaml", network: { egress }, memberTypes: { user: { network: { egress } } } };
    assert.deepEqual(mistakes(stack, { members: [{ member: "bob", type: "user" }] }), []);
  });
});
