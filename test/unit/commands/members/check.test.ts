import assert from "node:assert/strict";
import { checkText } from "../../../../commands/members/check.ts";
import type { Check } from "../../../../commands/members/checks.ts";
import { configuration } from "../../samples.ts";

const bad = { file: "members.yaml", line: 3, path: "members[0].type", message: '"usr" is no member type' };
const ofMembers = (names: readonly string[], more: object = {}) =>
  configuration({ members: names.map((member) => ({ member, type: "user", expires: "2026-06-14" })), ...more });
const sound = { configuration: ofMembers([]), adopts: false, isEmpty: false, expired: [], mistakes: [], warnings: [] };
const dev: Check = {
  file: "Pulumi.dev.yaml",
  stack: "dev",
  ownFile: false,
  members: 1,
  ...sound,
  configuration: undefined,
};
const prod: Check = {
  file: "members.yaml",
  stack: "prod",
  ownFile: true,
  members: 12,
  ...sound,
  configuration: undefined,
  mistakes: [bad],
};
const lone: Check = { ...prod, file: "others.yaml", stack: undefined, members: 0, mistakes: [] };

describe("what a check prints", () => {
  it("what a check prints is a line for each mistake, then one for each list", () => {
    assert.equal(
      checkText([dev, prod, lone]),
      `members.yaml:3: members[0].type: "usr" is no member type
Pulumi.dev.yaml: 1 member, no mistakes
members.yaml (stack prod): 12 members, 1 mistake
others.yaml (no stack names it): no members, no mistakes`,
    );
  });

  it("says what an empty list does, and who is expired, so that a wrong year shows", () => {
    assert.equal(
      checkText([
        { ...dev, members: 0, isEmpty: true, configuration: ofMembers([]) },
        { ...dev, members: 0, configuration: ofMembers([]) },
        { ...dev, members: 0, isEmpty: true, configuration: ofMembers([], { offboarding: { maxRemovals: 3 } }) },
        { ...dev, members: 3, expired: ["finn"], configuration: ofMembers([]) },
        { ...dev, members: 9, expired: ["a", "b", "c", "d", "e", "f", "g"], configuration: ofMembers([]) },
      ]),
      `Pulumi.dev.yaml: no members, no mistakes (an empty list stops a run that would remove anybody)
Pulumi.dev.yaml: no members, no mistakes
Pulumi.dev.yaml: no members, no mistakes
Pulumi.dev.yaml: 3 members (1 expired: finn), no mistakes
Pulumi.dev.yaml: 9 members (7 expired: a, b, c, d, e and 2 more), no mistakes`,
    );
  });

  it("tells a mistake once that two stacks share", () => {
    assert.equal(
      checkText([prod, { ...prod, stack: "test" }]),
      `members.yaml:3: members[0].type: "usr" is no member type
members.yaml (stack prod): 12 members, 1 mistake
members.yaml (stack test): 12 members, 1 mistake`,
    );
  });
});
