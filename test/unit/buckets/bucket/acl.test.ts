import assert from "node:assert/strict";
import { aclWith, declaredAcl, isPrivate, sameAcl } from "../../../../buckets/bucket/acl.ts";
import type { Grant } from "../../../../buckets/s3/s3.ts";
import type { CannedAcl } from "../../../../config/storage/buckets.ts";

const own: Grant = { grantee: "root", permission: "FULL_CONTROL" };
const groups = "http://acs.amazonaws.com/groups/global/";
const grant = (grantee: string, permission: Grant["permission"]): Grant => ({ grantee, permission });

describe("a live ACL", () => {
  const cases: [CannedAcl, Grant[]][] = [
    ["private", []],
    ["private", [own, own]],
    ["public-read", [own, grant(`${groups}AllUsers`, "READ")]],
    ["public-read-write", [grant(`${groups}AllUsers`, "WRITE"), own, grant(`${groups}AllUsers`, "READ")]],
    ["authenticated-read", [grant(`${groups}AuthenticatedUsers`, "READ")]],
  ];
  for (const [acl, grants] of cases) {
    it(`reads an ACL with ${grants.map(({ permission }) => permission).join(", ") || "nothing"} as ${acl}`, () => {
      assert.deepEqual(declaredAcl({ owner: "root", grants }), { acl });
    });
  }

  it("reads an ACL of other grants as their list, each once and in one order", () => {
    const grants = [grant("bob", "READ"), own, grant("alice", "WRITE"), grant("bob", "READ")];
    assert.deepEqual(declaredAcl({ owner: "root", grants }), {
      grants: [grant("alice", "WRITE"), grant("bob", "READ")],
    });
    // The owner's full control is a matter of course; somebody else's isn't.
    assert.deepEqual(declaredAcl({ owner: "bob", grants: [own] }), { grants: [own] });
  });
});

describe("a declared ACL", () => {
  it("writes the owner's full control into every ACL", () => {
    assert.deepEqual(aclWith("root", [grant("bob", "READ")]), { owner: "root", grants: [own, grant("bob", "READ")] });
  });

  it("takes an ACL for private where it lets nobody else in", () => {
    const closed = [{}, { acl: "private" }, { grants: [] }].map((each) => isPrivate(each as object));
    assert.deepEqual(closed, [true, true, true]);
    assert.equal(isPrivate({ acl: "authenticated-read" }), false);
    assert.equal(sameAcl({ acl: "private" }, { grants: [] }), true);
    assert.equal(sameAcl({ acl: "private" }, { grants: [grant("bob", "READ")] }), false);
  });
});
