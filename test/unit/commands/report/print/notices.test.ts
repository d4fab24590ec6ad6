import assert from "node:assert/strict";
import type { Unread } from "../../../../../cluster/read/snapshot/snapshot.ts";
import { reportOf } from "../../../../../commands/report/build.ts";
import { readNotices } from "../../../../../commands/report/print/notices.ts";
import { sectionsOf } from "../../../../../commands/report/print/sections.ts";
import { summaryOf } from "../../../../../commands/report/print/summary.ts";
import { Drift } from "../../../../../plan/compare/drift.ts";
import { budgetsTold } from "../../../../../plan/findings/budgets.ts";
import { closingRoutes } from "../../../../../plan/findings/closing.ts";
import { pendingRoutes } from "../../../../../plan/findings/status.ts";
import { uncheckedMatters } from "../../../../../plan/findings/unchecked.ts";
import { takeovers } from "../../../../../plan/membership/adoption/takeover.ts";
import { leavingMembers } from "../../../../../plan/membership/offboarding/deletionPlan.ts";
import { loggedText } from "../../../../../plan/messages/catalogue.ts";
import type { Finding } from "../../../../../plan/messages/finding.ts";
import { resourceQuota } from "../../../../../plan/objects/resourceQuota.ts";
import { cluster, managedObject, owned } from "../../../cluster/leaving.ts";
import { compared, loggedOf, planOf } from "../../../plan/planned.ts";
import { bob, carol, configuration, settings } from "../../../samples.ts";
import { error, information, warning } from "../previews.ts";

const read = (...diagnostics: { severity: string; message: string }[]) => readNotices({ diagnostics });
const said = (findings: readonly Finding[]) => warning(loggedOf(findings));
const pending = (reason: string) => ({ type: "user", namespace: "x", state: "pending", reason }) as const;

const zoeLeaves = cluster({
  namespaces: new Map([["zoe", owned("zoe")]]),
  managedObjects: new Map([["ClusterRoleBinding kubecamp:dev:zoe:view", managedObject("zoe")]]),
  namespaceContents: new Map([["zoe", { pods: 2, claims: [{ name: "data", storage: "1Gi" }] }]]),
});
const quotaEdited = new Drift({
  managedObjects: new Map([
    ["ResourceQuota bob/quota", { ...managedObject("bob", { spec: { hard: {} } }), labels: {} }],
  ]),
});
quotaEdited.marked(compared("ResourceQuota", resourceQuota(bob, settings)));
const bobsRoute = cluster({
  namespaces: new Map([["bob", owned("bob")]]),
  managedObjects: new Map([["Ingress ingress-nginx/bob", managedObject("bob")]]),
});
const unread = { offline: false, kinds: new Map([["Pod", "pods is forbidden: no"] as const]) } satisfies Unread;

describe("what a preview says", () => {
  // Each is written by what the program itself says it with.
  for (const [what, findings, key, lines] of [
    [
      "who leaves, with what is lost",
      leavingMembers(planOf([bob], settings, zoeLeaves)),
      "leaving",
      [["zoe", "namespace with 2 unfinished pods, 1 PersistentVolumeClaim (data 1Gi); access (1 binding)"]],
    ],
    [
      "one member whose path is pending",
      pendingRoutes([bob], { bob: pending("no Service: none at all") }, new Set()),
      "pending",
      [["bob", "no Service: none at all"]],
    ],
    [
      "several members whose paths are pending",
      pendingRoutes([bob, carol], { bob: pending("a"), carol: pending("b") }, new Set()),
      "pending",
      [
        ["bob", "a"],
        ["carol", "b"],
      ],
    ],
    [
      "routes that close",
      closingRoutes([bob], { bob: pending("it is gone") }, settings, bobsRoute),
      "closing",
      [["bob", "it is gone"]],
    ],
    ["what was changed by hand", quotaEdited.findings, "changedByHand", [["ResourceQuota bob/quota", ""]]],
    [
      "what was not looked at, for want of rights",
      uncheckedMatters([bob], settings, { unread }),
      "unchecked",
      [["Pods", "which pods of removed and suspended members are stopped (pods is forbidden: no)"]],
    ],
  ] as const) {
    it(`reads from a preview's messages ${what}`, () => {
      const { [key]: found, warnings } = read(said(findings));
      assert.deepEqual([found.map(({ name, text }) => [name, text]), warnings], [lines, []]);
    });
  }

  it("reads from a preview's messages what was not looked at, without a cluster", () => {
    const unread = { offline: true, kinds: new Map() } satisfies Unread;
    const { offline, warnings } = read(said(uncheckedMatters([bob], settings, { unread })));
    const names = ["cluster", "ownership", "removals", "routes", "drift", "quotas", "admission"];
    assert.deepEqual([offline.map(({ name }) => name), warnings], [names, []]);
  });

  it("reads from a preview's messages what is taken over, which is red in the report", () => {
    const plan = planOf([{ ...bob, adopt: true }], settings, {
      managedObjects: new Map([["Namespace bob", { ...managedObject(""), labels: {} }]]),
    });
    const report = reportOf({ steps: [], diagnostics: [said(takeovers(plan))] });
    assert.deepEqual([report.takenOver, report.warnings], [[{ name: "bob", text: "Namespace bob" }], []]);
    assert.deepEqual(
      sectionsOf(report).map(({ title, weight }) => [title, weight]),
      [["Taken over", "danger"]],
    );
    assert.equal(summaryOf(report), "1 takes over what exists");
  });

  it("reads budgets from a preview's messages, not as warnings, and once for all shards", () => {
    const { members, settings } = configuration({
      budgets: [{ name: "all", maxCPUm: 5000 }],
      members: [{ member: "bob", type: "user" }],
    });
    const told = information(loggedOf(budgetsTold(members, settings)));
    const { budgets, warnings, findings } = read(told, information("waiting for the API server"), told);
    const text = "1 member; maxCPUm 500 of 5000, 4500 left (bob 500)";
    assert.deepEqual([budgets, warnings, findings], [[{ name: "all", text }], [], []]);
  });

  it("notes in a report where a subject in the section on access hides something", () => {
    const who = ["oidc:\u0430lice", "group oidc:class a", "group oidc:class\u3164"];
    const report = { ...reportOf({ steps: [], diagnostics: [] }), access: [{ member: "bob", where: ["x"], who }] };
    const names =
      "oidc:\u0430lice (has U+0430, which only look like ASCII), group oidc:class a, " +
      "group oidc:class\u3164 (has U+3164, which can't be seen or looks like a blank)";
    assert.deepEqual(sectionsOf(report)[0]?.rows, [["bob", "x", names]]);
  });

  it("knows a preview's message by its code, whatever its words, and else shows these", () => {
    const shown = { code: "closing", text: "Other words than today's:\n  bob: why" } as const;
    const other = { code: "expires", text: "Expires soon: finn on 2026-12-31 (in 3 days)" } as const;
    const logged = [loggedText(shown), loggedText(other), "a newer version"].map(warning);
    const { closing, findings, warnings } = read(...logged);
    assert.deepEqual(closing, [{ name: "bob", text: "why" }]);
    assert.deepEqual(
      [findings, warnings],
      [
        [shown, other],
        [other.text, "a newer version"],
      ],
    );
  });

  it("says once that an API server can't be reached, without advice that would lose the state", () => {
    const urn = (name: string) => `urn:pulumi:dev::kubecamp::kubernetes:core/v1:Namespace::${name}/namespace`;
    const of = (name: string, severity: string, message: string) => ({ severity, message, urn: urn(name) });
    const advice =
      "Preview failed: failed to read resource state due to unreachable cluster. If the cluster was deleted, you can remove " +
      'this resource from Pulumi state by rerunning the operation with PULUMI_K8S_DELETE_UNREACHABLE set to "true"';
    const cause = 'configured Kubernetes cluster is unreachable: Get "https://k8s.test/openapi/v2": connection refused';
    const { errors, warnings } = readNotices({
      diagnostics: [
        ...["ada", "bob"].map((name) => of(name, "warning", cause)),
        ...["ada", "bob"].map((name) => of(name, "error", advice)),
        error("something else"),
      ],
    });
    const once = /^The API server can't be reached, .*\nCorrect that, .* Leave PULUMI_K8S_DELETE_UNREACHABLE unset/;
    assert.match(errors[0] ?? "", once);
    assert.deepEqual([errors.slice(1), warnings.length], [["something else"], 1]);
    assert.match(warnings[0] ?? "", /\n {2}Get "https:\/\/k8s\.test\/openapi\/v2": connection refused\n/);
  });
});
