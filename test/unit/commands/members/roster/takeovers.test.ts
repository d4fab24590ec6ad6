import assert from "node:assert/strict";
import { Problem } from "../../../../../commands/common/problem.ts";
import type { Entry } from "../../../../../commands/members/edit/listEdits.ts";
import type { Person } from "../../../../../commands/members/roster/rosterPlan.ts";
import { mayTakeOver, refuseTakeovers, takeovers } from "../../../../../commands/members/roster/takeovers.ts";
import { settings } from "../../../samples.ts";

const entry = (member: string, more: Entry = {}): Entry => ({ member, type: "user", ...more });
const ours = { "app.kubernetes.io/managed-by": "kubecamp", "kubecamp.dev/stack": "dev" };
const live = new Map([
  ["monitoring", { labels: {} }],
  ["web", { labels: { ...ours, "kubecamp.dev/stack": "other" } }],
  ["bob", { labels: ours }],
]);
const person = (line: number, member: string): Person => ({ line, key: "", before: undefined, after: entry(member) });
const taken = (member: string, isAsked = false) => ({ stack: "dev", member, isAsked });

describe("what new members of a roster would take over", () => {
  it("is looked for only where someone would", () => {
    assert.equal(mayTakeOver([], true), false);
    assert.equal(mayTakeOver([entry("a")], false), false);
    assert.equal(mayTakeOver([entry("a", { adopt: false })], true), false);
    assert.equal(mayTakeOver([entry("a")], true), true);
    assert.equal(mayTakeOver([entry("a"), entry("b", { adopt: true })], false), true);
  });

  it("is each namespace of a new name that the stack has not made", () => {
    const added = [entry("monitoring"), entry("zoe"), entry("bob"), entry("web", { adopt: true })];
    assert.deepEqual(takeovers(added, true, live, settings), [taken("monitoring"), taken("web", true)]);
    assert.deepEqual(takeovers(added, false, live, settings), [taken("web", true)]);
    assert.deepEqual(takeovers([entry("monitoring", { adopt: false })], true, live, settings), []);
  });

  it("is refused with the names and lines, unless the entry says so itself", () => {
    const people = [person(2, "zoe"), person(3, "monitoring"), person(5, "web")];
    assert.throws(
      () => refuseTakeovers([taken("monitoring"), taken("web", true)], people),
      new Problem("Nothing was written: a new member would take over a namespace.", {
        why: "The cluster has 'monitoring' (line 3), which stack 'dev' did not make, and offboarding.adopt is true.",
        remedy:
          "If the namespace is theirs, add --adopt. If not, add them under another name with 'members add', then import again.",
      }),
    );
    refuseTakeovers([taken("web", true)], people);
    refuseTakeovers([], people);
  });
});
