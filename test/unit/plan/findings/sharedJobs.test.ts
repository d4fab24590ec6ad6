import assert from "node:assert/strict";
import type { ClusterSnapshot } from "../../../../cluster/read/snapshot.ts";
import { obstacles } from "../../../../plan/decide/obstacles.ts";
import { jobsElsewhere, jobsOfTwo } from "../../../../plan/findings/sharedJobs.ts";
import { memberWarnings } from "../../../../plan/findings/warnings.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { managedObject } from "../../cluster/operators.ts";
import { configuration, labelsOf } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

const job = "github:repo:ada/site:ref:refs/heads/main";
const entry = { issuer: "github", repository: "ada/site", ref: "refs/heads/main" };
const ada = (more: object = {}) =>
  configuration({
    ci: { audience: "https://k8s.example.org" },
    members: [{ member: "ada", type: "user", ci: [entry], ...more }],
  });

/** A binding for CI jobs, in the namespace of a member of a stack. */
function binding(namespace: string, stack: string, job: object, terminating = false): Partial<ClusterSnapshot> {
  const labels = { ...labelsOf(namespace), "kubecamp.dev/stack": stack };
  return {
    namespaces: new Map([[namespace, { labels, terminating }]]),
    managedObjects: new Map([[`RoleBinding ${namespace}/kubecamp:ci`, managedObject(labels, { subjects: [job] })]]),
  };
}
const user = (name: string) => ({ kind: "User", name });
const both = (...all: readonly Partial<ClusterSnapshot>[]): Partial<ClusterSnapshot> => ({
  namespaces: new Map(all.flatMap(({ namespaces = [] }) => [...namespaces])),
  managedObjects: new Map(all.flatMap(({ managedObjects = [] }) => [...managedObjects])),
});

describe("CI jobs of two stacks", () => {
  const found = (live: Partial<ClusterSnapshot>, { settings, members } = ada()) => {
    const plan = planOf(members, settings, live);
    return [refusalTexts(jobsElsewhere(plan)), jobsOfTwo(plan)];
  };

  it("refuses a CI job's second namespace in the stack that would let it in, with the way out", () => {
    assert.deepEqual(found(binding("bob", "prod", user(job))), [
      [
        `member 'ada': CI job '${job}' deploys for member 'bob' of stack 'prod' already, and a job has one namespace; ` +
          "take it out of this entry's ci, or out of that of 'bob', and bring up stack 'prod' first",
      ],
      [],
    ]);
  });

  it("stops a run at a CI job of another stack, and has one that goes on tell of it", () => {
    const { settings, members } = ada();
    const plan = (live: Partial<ClusterSnapshot>) => planOf(members, settings, live);
    const theirs = binding("bob", "prod", user(job));
    const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);
    assert.ok(codes(obstacles(plan(theirs))).includes("jobElsewhere"));
    const warned = plan(both(theirs, binding("ada", "dev", user(job))));
    assert.ok(codes(memberWarnings(warned, {}, new Set())).includes("jobOfTwo"));
  });

  it("tells of a CI job in both stacks once both have let it in", () => {
    const live = both(binding("bob", "prod", user(job)), binding("ada", "dev", user(job)));
    const facts = { job, owner: "bob", stack: "prod" };
    const findings = [{ code: "jobOfTwo", member: "ada", facts } as const];
    assert.deepEqual(found(live), [[], findings]);
    assert.equal(
      textOf(findings),
      "CI jobs that deploy into two namespaces, of this stack and of another; take each out of the ci of one of the two:\n" +
        `  ada: ${job}, also of 'bob' in stack 'prod'`,
    );
  });

  it("finds no shared CI job where the other's differs, is nobody's, or the namespace goes", () => {
    for (const live of [
      binding("bob", "prod", user("github:repo:bob/site:ref:refs/heads/main")),
      binding("bob", "prod", { kind: "Group", name: job }),
      binding("bob", "prod", user(job), true),
      // Of this stack's own: the run takes it out of a former member's binding.
      binding("bob", "dev", user(job)),
      { managedObjects: binding("bob", "prod", user(job)).managedObjects ?? new Map() },
    ]) {
      assert.deepEqual(found(live), [[], []]);
    }
  });

  it("finds no shared CI job between shards of one list, which has been checked as a whole", () => {
    const { settings, members } = ada();
    const shards = { family: "camp", count: 2 };
    const live = binding("bob", "camp-1", user(job));
    assert.deepEqual(found(live, { settings: { ...settings, stack: "camp-0", shards }, members }), [[], []]);
  });
});
