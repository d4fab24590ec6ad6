import assert from "node:assert/strict";
import type { Unread } from "../../../../../cluster/read/snapshot.ts";
import { nothingFound } from "../../../../../commands/report/digest.ts";
import { readNotices } from "../../../../../commands/report/print/notices.ts";
import { sectionsOf } from "../../../../../commands/report/print/sections.ts";
import { summaryOf } from "../../../../../commands/report/print/summary.ts";
import { budgetsTold } from "../../../../../plan/findings/budgets.ts";
import { uncheckedMatters } from "../../../../../plan/findings/unchecked.ts";
import type { Finding, WarningCode } from "../../../../../plan/words/finding.ts";
import { bob, configuration, settings } from "../../../samples.ts";
import { editedByHand, error, leaving, pending, reportOn, urn } from "../previews.ts";

const read = (warnings: readonly Finding[], more: Partial<typeof nothingFound> = {}) =>
  readNotices({ ...nothingFound, warnings, ...more }, "pulumi up");
const uncheckedIn = (unread: Unread) => uncheckedMatters([bob], settings, { unread });

describe("the findings of a preview", () => {
  it("are each in their place, once, and the others are warnings in their words", () => {
    const expires = { code: "expires", member: "bob", facts: { lastDay: "2026-06-15", days: 0 } } as const;
    const found: readonly Finding[] = [
      leaving("zoe", { bindings: 1 }),
      { code: "closing", member: "bob", facts: { reason: "it is gone" } },
      editedByHand("ResourceQuota bob/quota"),
      {
        ...{ code: "notKept", object: "Role bob/x" },
        facts: { fields: [{ field: "rules", live: undefined, declared: "[]" }] },
      },
      pending("bob", "run 'pulumi up'"),
      pending("carol"),
      expires,
    ];
    const { findings: _, ...nothing } = read([]);
    // Two shards find the same.
    const { findings, ...notices } = readNotices({ ...nothingFound, warnings: [...found, ...found] }, "kubecamp up");
    assert.deepEqual(notices, {
      ...nothing,
      leaving: [found[0]],
      closing: [{ name: "bob", text: "it is gone" }],
      changedByHand: [{ name: "ResourceQuota bob/quota", text: "" }],
      notKept: [{ name: "Role bob/x", text: "rules is gone" }],
      pending: [
        { name: "bob", text: "run 'kubecamp up'" },
        { name: "carol", text: "why" },
      ],
      warnings: [
        "Restored by the last run, and did not stay: a webhook, a policy or another program sets it again. Find and stop that:\n" +
          "  Role bob/x: rules is gone",
        "Expires soon: bob on 2026-06-15 (today)",
      ],
    });
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["leaving", "closing", "changedByHand", "notKept", "pending", "expires"] satisfies WarningCode[],
    );
  });

  it("name what was not looked at, for want of rights or of a cluster", () => {
    const { unchecked } = read(
      uncheckedIn({ offline: false, kinds: new Map([["Pod", "pods is forbidden: no"] as const]) }),
    );
    const text = "which pods of removed and suspended members are stopped (pods is forbidden: no)";
    assert.deepEqual(unchecked, [{ name: "Pods", text }]);
    const { offline, warnings } = read(uncheckedIn({ offline: true, kinds: new Map() }));
    const names = ["cluster", "ownership", "removals", "routes", "drift", "quotas", "admission"];
    assert.deepEqual([offline.map(({ name }) => name), warnings], [names, []]);
  });

  it("show in red what is taken over, by member", () => {
    const taken = (object: string): Finding => ({ code: "takenOver", member: "bob", object, facts: { closed: [] } });
    const report = reportOn([], { warnings: [taken("Namespace bob"), taken("Service bob/bob-svc")] });
    const text = "Namespace bob, Service bob/bob-svc";
    assert.deepEqual([report.takenOver, report.warnings], [[{ name: "bob", text }], []]);
    assert.deepEqual(
      sectionsOf(report).map(({ title, weight }) => [title, weight]),
      [["Taken over", "danger"]],
    );
    assert.equal(summaryOf(report), "1 takes over what exists");
  });

  it("have budgets for information, once for all shards", () => {
    const { members, settings: limited } = configuration({
      budgets: [{ name: "all", maxCPUm: 5000 }],
      members: [{ member: "bob", type: "user" }],
    });
    const told = budgetsTold(members, limited);
    const { budgets, warnings, findings } = read([], { notices: [...told, ...told] });
    const text = "1 member; maxCPUm 500 of 5000, 4500 left (bob 500)";
    assert.deepEqual([budgets, warnings, findings], [[{ name: "all", text }], [], []]);
  });
});

describe("the messages of a preview", () => {
  it("say once that an API server can't be reached, without advice that would lose the state", () => {
    const both = (severity: string, message: string) =>
      ["ada", "bob"].map((name) => ({
        ...{ severity, message, urn: urn("kubernetes:core/v1:Namespace", `${name}/namespace`) },
      }));
    const advice =
      "Preview failed: failed to read resource state due to unreachable cluster. If the cluster was deleted, you can remove " +
      'this resource from Pulumi state by rerunning the operation with PULUMI_K8S_DELETE_UNREACHABLE set to "true"';
    const cause = 'configured Kubernetes cluster is unreachable: Get "https://k8s.test/openapi/v2": connection refused';
    const messages = [...both("warning", cause), ...both("error", advice), ...error("something else").messages];
    const { errors, warnings } = read([], { messages });
    const once = /^The API server can't be reached, .*\nCorrect that, .* Leave PULUMI_K8S_DELETE_UNREACHABLE unset/;
    assert.match(errors[0] ?? "", once);
    assert.deepEqual([errors.slice(1), warnings.length], [["something else"], 1]);
    assert.match(warnings[0] ?? "", /\n {2}Get "https:\/\/k8s\.test\/openapi\/v2": connection refused\n/);
  });
});

describe("the section on access", () => {
  it("notes where a subject hides something", () => {
    const who = ["oidc:\u0430lice", "group oidc:class a", "group oidc:class\u3164"];
    const report = { ...reportOn([]), access: [{ member: "bob", where: ["x"], who }] };
    const names =
      "oidc:\u0430lice (has U+0430, which only look like ASCII), group oidc:class a, " +
      "group oidc:class\u3164 (has U+3164, which can't be seen or looks like a blank)";
    assert.deepEqual(sectionsOf(report)[0]?.rows, [["bob", "x", names]]);
  });
});
