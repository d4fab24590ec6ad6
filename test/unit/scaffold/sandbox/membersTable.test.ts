import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { MemberStatus } from "../../../../plan/findings/status.ts";
import { membersTable } from "../../../../scaffold/sandbox/membersTable.ts";

const members: Record<string, MemberStatus> = {
  alice: { type: "admin", namespace: "alice", state: "pending", reason: "no Service 'alice-svc' in namespace 'alice'" },
  bob: { type: "user", namespace: "bob", state: "ready", url: "https://camp.localhost/bob/" },
};

describe("the table of members", () => {
  it("gives each a line, and goes on below when a reason is long", () => {
    assert.equal(
      membersTable(members, 60),
      `MEMBER  TYPE   NAMESPACE  STATE    URL OR REASON
alice   admin  alice      pending  no Service 'alice-svc' in
                                   namespace 'alice'
bob     user   bob        ready    https://camp.localhost/bob/`,
    );
  });

  it("never breaks a URL", () => {
    const url = `https://${"a".repeat(90)}/bob/`;
    assert.ok(membersTable({ bob: { type: "user", namespace: "bob", state: "ready", url } }).includes(url));
  });
});
