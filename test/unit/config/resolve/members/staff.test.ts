import assert from "node:assert/strict";
import { configuration } from "../../../samples.ts";

const oidc = { issuerUrl: "https://id.example.org", clientId: "kubernetes", usernamePrefix: "o:", groupsPrefix: "g:" };
const user = (name: string) => ({ kind: "User", name });
const group = (name: string) => ({ kind: "Group", name });
const ada = { member: "ada", type: "user", labels: { course: "cs101" } };
const bob = { member: "bob", type: "user" };

const staffOf = (staff: readonly object[], members: readonly object[] = [ada, bob]) =>
  configuration({ oidc, staff, members }).members.map((member) => member.staff);

describe("staff", () => {
  it("puts staff over those whom their selector fits", () => {
    const staff = [
      { group: "tas", role: "assist", over: { labels: { course: "cs101" } } },
      { subject: "tina", role: "view" },
    ];
    assert.deepEqual(staffOf(staff), [
      { view: [user("o:tina")], assist: [group("g:tas")] },
      { view: [user("o:tina")] },
    ]);
    assert.deepEqual(staffOf([{ subject: "tina", role: "view", over: { members: ["ada"] } }])[1], undefined);
  });

  it("gives staff the strongest of several roles, in any order, and lists them by name", () => {
    const twice = [
      { subject: "zoe", role: "view" },
      { subject: "tina", role: "edit" },
      { subject: "tina", role: "view" },
      { subject: "cy", role: "view" },
      { subject: "cy", role: "assist", over: { members: ["bob"] } },
    ];
    assert.deepEqual(staffOf(twice), [
      { view: [user("o:cy"), user("o:zoe")], edit: [user("o:tina")] },
      { view: [user("o:zoe")], assist: [user("o:cy")], edit: [user("o:tina")] },
    ]);
  });

  it("gives staff no further role where they are at home, by name or by group, suspended or not", () => {
    const members = [{ ...ada, groups: ["team"], suspended: true }, bob];
    const staff = [
      { subject: "ada", role: "edit" },
      { subject: "bob", role: "edit" },
      { group: "team", role: "view" },
    ];
    assert.deepEqual(staffOf(staff, members), [{ edit: [user("o:bob")] }, { view: [group("g:team")] }]);
  });

  it("lets staff look after nobody while they are suspended or expired members", () => {
    const staff = [{ subject: "ada", role: "edit" }];
    assert.deepEqual(staffOf(staff, [{ ...ada, suspended: true }, bob]), [undefined, undefined]);
    assert.deepEqual(staffOf(staff, [{ ...ada, expires: "2026-06-14" }, bob]), [undefined, undefined]);
    assert.deepEqual(staffOf(staff), [undefined, { edit: [user("o:ada")] }]);
  });

  it("lets staff assist who have edit where the member may only look", () => {
    const members = [{ ...ada, home: "view" }];
    assert.deepEqual(staffOf([{ subject: "tina", role: "edit" }], members), [{ assist: [user("o:tina")] }]);
  });
});
