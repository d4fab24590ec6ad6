import assert from "node:assert/strict";
import { configuration, mistakes } from "../samples.ts";

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

const members = [{ member: "ada", type: "user", labels: { course: "cs101" } }];
const mistakesOf = (staff: unknown, more: object = {}) => mistakes({ members, staff, ...more });

describe("mistakes in staff", () => {
  it("refuses staff that are nobody, two at once, or without a role, all told", () => {
    assert.deepEqual(
      mistakesOf([
        { role: "view" },
        { subject: "tina", group: "tas", role: "view" },
        { subject: "tina" },
        { role: "edits" },
      ]),
      [
        "staff[0]: is nobody; set subject to a person, or group to a group",
        "staff[1]: has both a subject and a group; make it two entries",
        "staff[2].role: is missing: must be one of view, assist, edit",
        `staff[3].role: "edits" must be one of view, assist, edit; did you mean 'edit'?`,
      ],
    );
  });

  it("refuses staff by names that nobody signs in with, or that are Kubernetes' own", () => {
    const oidc = { usernamePrefix: "o:", groupsPrefix: "", usernameClaim: "email" };
    const staff = [
      { subject: "o:tina@example.org", role: "view" },
      { subject: "tina", role: "view" },
      { group: "system:masters", role: "edit" },
    ];
    assert.deepEqual(mistakesOf(staff, { oidc, members: [{ ...members[0], subject: "ada@example.org" }] }), [
      'staff[0].subject: "o:tina@example.org" starts with oidc.usernamePrefix already; leave it out',
      'staff[1].subject: "tina" is no email address, and oidc.usernameClaim is email: set subject to the member\'s address',
      'staff[2].group: "system:masters" is one of Kubernetes\' own names; set a prefix in oidc',
    ]);
  });

  it("refuses encrypted staff, since commands would show other access than a run gives", () => {
    const raw = { members, staff: [{ group: "tas", role: "view" }] };
    assert.deepEqual(mistakes(raw, { isSecret: ([key]) => key === "staff" }), [
      "staff: can't be encrypted; set it without --secret",
    ]);
  });
});
