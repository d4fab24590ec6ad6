import assert from "node:assert/strict";
import { objectKey, type Unread } from "../../../../../cluster/read/snapshot/snapshot.ts";
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
import { resourceQuota } from "../../../../../plan/objects/resourceQuota.ts";
import { cluster, managedObject, owned } from "../../../cluster/leaving.ts";
import { compared, loggedOf, planOf } from "../../../plan/planned.ts";
import { bob, carol, configuration, settings } from "../../../samples.ts";
import { error, information, warning } from "../previews.ts";

const read = (...diagnostics: { severity: string; message: string }[]) => readNotices({ diagnostics });
const said = (text: string | undefined) => warning(text ?? "");

// Each is written by what the program itself says it with.
describe("what a preview says", () => {
  it("is found again of who leaves, with what is lost", () => {
    const snapshot = cluster({
      namespaces: new Map([["zoe", owned("zoe")]]),
      managedObjects: new Map([["ClusterRoleBinding kubecamp:dev:zoe:view", managedObject("zoe")]]),
      namespaceContents: new Map([["zoe", { pods: 2, claims: [{ name: "data", storage: "1Gi" }] }]]),
    });
    const { leaving, warnings } = read(said(loggedOf(leavingMembers(planOf([bob], settings, snapshot)))));
    assert.deepEqual(leaving, [
      {
        name: "zoe",
        text: "namespace with 2 unfinished pods, 1 PersistentVolumeClaim (data 1Gi); access (1 binding)",
      },
    ]);
    assert.deepEqual(warnings, []);
  });

  it("is found again of what is taken over, which is red in the report", () => {
    const plan = planOf([{ ...bob, adopt: true }], settings, {
      managedObjects: new Map([["Namespace bob", { ...managedObject(""), labels: {} }]]),
    });
    const digest = { steps: [], diagnostics: [said(loggedOf(takeovers(plan)))] };
    const report = reportOf(digest);
    assert.deepEqual([report.takenOver, report.warnings], [[{ name: "bob", text: "Namespace bob" }], []]);
    assert.deepEqual(sectionsOf(report), [
      {
        title: "Taken over",
        weight: "danger",
        intro: [
          "These exist already, and become members' own with everything in them.",
          "A namespace is deleted once its member is removed.",
        ],
        columns: ["member", "what"],
        rows: [["bob", "Namespace bob"]],
      },
    ]);
    assert.equal(summaryOf(report), "1 takes over what exists");
  });

  it("has a note where a subject in the section on access hides something", () => {
    const who = ["oidc:\u0430lice", "group oidc:class a", "group oidc:class\u3164"];
    const report = { ...reportOf({ steps: [], diagnostics: [] }), access: [{ member: "bob", where: ["x"], who }] };
    assert.deepEqual(sectionsOf(report)[0]?.rows, [
      [
        "bob",
        "x",
        "oidc:\u0430lice (has U+0430, which only look like ASCII), group oidc:class a, " +
          "group oidc:class\u3164 (has U+3164, which can't be seen or looks like a blank)",
      ],
    ]);
  });

  it("is found again of budgets, which are no warnings, once for all shards", () => {
    const { members, settings } = configuration({
      budgets: [{ name: "all", maxCPUm: 5000, storageMiB: 9000 }],
      members: [{ member: "bob", type: "user" }],
    });
    const told = information(loggedOf(budgetsTold(members, settings)));
    const { budgets, warnings, findings } = read(told, information("waiting for the API server"), told);
    assert.deepEqual(
      { budgets, warnings, findings },
      {
        budgets: [
          {
            name: "all",
            text: "1 member; maxCPUm 500 of 5000, 4500 left (bob 500); storageMiB 5000 of 9000, 4000 left (bob 5000)",
          },
        ],
        warnings: [],
        findings: [],
      },
    );
  });

  it("is found again of one whose path is pending, and of several", () => {
    const pending = (reason: string) => ({ type: "user", namespace: "x", state: "pending", reason }) as const;
    const one = loggedOf(pendingRoutes([bob], { bob: pending("no Service: none at all") }, new Set()));
    assert.deepEqual(read(said(one)).pending, [{ name: "bob", text: "no Service: none at all" }]);
    const two = loggedOf(pendingRoutes([bob, carol], { bob: pending("a"), carol: pending("b") }, new Set()));
    assert.deepEqual(read(said(two)).pending, [
      { name: "bob", text: "a" },
      { name: "carol", text: "b" },
    ]);
  });

  it("is found again of routes that close", () => {
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob")]]),
      managedObjects: new Map([["Ingress ingress-nginx/bob", managedObject("bob")]]),
    });
    const statuses = { bob: { type: "user", namespace: "bob", state: "pending", reason: "it is gone" } } as const;
    const warned = loggedOf(closingRoutes([bob], statuses, settings, snapshot));
    assert.deepEqual(read(said(warned)).closing, [{ name: "bob", text: "it is gone" }]);
  });

  it("is found again of what was changed by hand", () => {
    const declared = resourceQuota(bob, settings);
    const key = objectKey("ResourceQuota", "quota", "bob");
    const drift = new Drift({
      managedObjects: new Map([[key, { ...managedObject("bob", { spec: { hard: {} } }), labels: {} }]]),
    });
    drift.marked(compared("ResourceQuota", declared));
    assert.deepEqual(read(said(loggedOf(drift.findings))).changedByHand, [
      { name: "ResourceQuota bob/quota", text: "" },
    ]);
    const hinted = `[changedByHand] a title\n  ClusterRoleBinding kubecamp:dev:bob:view: it is bound to another role`;
    assert.deepEqual(read(said(hinted)).changedByHand, [
      { name: "ClusterRoleBinding kubecamp:dev:bob:view", text: "it is bound to another role" },
    ]);
  });

  it("is found again of what was not looked at, without a cluster", () => {
    const unread = { offline: true, kinds: new Map() } satisfies Unread;
    const { offline, warnings } = read(said(loggedOf(uncheckedMatters([bob], settings, { unread }))));
    assert.deepEqual(
      offline.map(({ name }) => name),
      ["cluster", "ownership", "removals", "routes", "drift", "quotas", "admission"],
    );
    assert.match(offline[1]?.text ?? "", /^whether objects with members' names exist already and are somebody/);
    assert.deepEqual(warnings, []);
  });

  it("is found again of what was not looked at, for want of rights", () => {
    const unread = { offline: false, kinds: new Map([["Pod", "pods is forbidden: no"] as const]) } satisfies Unread;
    const { unchecked } = read(said(loggedOf(uncheckedMatters([bob], settings, { unread }))));
    const text = "which pods of removed and suspended members are stopped (pods is forbidden: no)";
    assert.deepEqual(unchecked, [{ name: "Pods", text }]);
  });

  it("is known by its code, also where it has a place of its own", () => {
    const shown = { code: "closing", text: "Other words than today's:\n  bob: why" } as const;
    const other = { code: "expires", text: "Expires soon: finn on 2026-12-31 (in 3 days)" } as const;
    const { closing, findings, warnings } = read(
      said(loggedText(shown)),
      said(loggedText(other)),
      said("a newer version"),
    );
    assert.deepEqual(closing, [{ name: "bob", text: "why" }]);
    assert.deepEqual(findings, [shown, other]);
    assert.deepEqual(warnings, [other.text, "a newer version"]);
  });

  it("is said once of an API server that can't be reached, and without advice that would lose the state", () => {
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
    const reported = /^The API server can't be reached, so that objects could not be looked at\.\n/;
    assert.match(errors[0] ?? "", reported);
    assert.match(errors[0] ?? "", /\nCorrect that, .* Leave PULUMI_K8S_DELETE_UNREACHABLE unset/);
    assert.deepEqual(errors.slice(1), ["something else"]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /\n {2}Get "https:\/\/k8s\.test\/openapi\/v2": connection refused\n/);
  });
});
