import assert from "node:assert/strict";
import { mistakes } from "../../samples.ts";

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
