import assert from "node:assert/strict";
import type { V1Namespace } from "@kubernetes/client-node";
import type { Entry } from "../../../program/stack.ts";
import { type DryRuns, labels, somebody } from "../dryRuns.ts";
import { memberTypes, ned, rbac, uma, type WatchStack } from "../watchStack.ts";

/** Whom the watch gives rights: staff, and CI jobs. */
export function people({ stack, up }: WatchStack, { written, role, binding }: DryRuns) {
  it("before staff with more than help, where it lets staff in", async () => {
    const entries = [ned, { ...uma, starter: "kept" }];
    await stack.configure(entries, { memberTypes, staff: [{ group: "ta-cs101", role: "assist" }] });
    // An admin writes the policy `restarts`, and here all else, too.
    await stack.upFine();
    const assist = "kubecamp:staff-assist";
    await stack.delete("rolebinding", assist, "ned");
    await stack.delete("role", assist, "ned");
    await up("--refresh");
    for (const kind of ["rolebinding", "role"]) {
      assert.ok((await stack.sandbox.names(kind, { namespace: "ned" })).includes(assist), kind);
    }
    const restart = { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "patch"] };
    assert.equal(await role(assist, "ned", restart), "");
    for (const [group, resource] of [
      [rbac, "rolebindings"],
      ["", "resourcequotas"],
      ["", "serviceaccounts/token"],
    ] as const) {
      const rule = { apiGroups: [group], resources: [resource], verbs: ["create"] };
      assert.match(await role(assist, "ned", rule), /but nothing that guards them/, resource);
    }
    assert.match(await role(assist, "default", restart), /may not touch roles/);
  });

  it("lets a ServiceAccount make Pods for members until an end, and gives it no other role", async () => {
    const spawn = { serviceAccount: "hub/hub", role: "spawn" };
    await stack.configure([ned, uma], { memberTypes, staff: [spawn] });
    const { steps } = await up();
    assert.ok(steps.includes(`create kubernetes:${rbac}/v1:RoleBinding ned/staff/spawn`), steps.join("\n"));
    const bound = (to: string, name: string) =>
      written({
        ...{ apiVersion: `${rbac}/v1`, kind: "RoleBinding" },
        metadata: { name: "kubecamp:staff-assist", namespace: "ned", labels },
        roleRef: { apiGroup: rbac, kind: "Role", name: to },
        subjects: [{ kind: "User", name, apiGroup: rbac }],
      });
    const hub = "system:serviceaccount:hub:hub";
    assert.equal(await bound("kubecamp:staff-spawn", hub), "");
    assert.match(await bound("kubecamp-edit", hub), /ServiceAccounts to staff-spawn alone/);
    assert.match(await bound("kubecamp:staff-spawn", "system:admin"), /ServiceAccounts to staff-spawn alone/);

    await stack.configure([ned, uma], { memberTypes, staff: [{ ...spawn, until: "2026-01-01" }] });
    const { steps: atEnd } = await up();
    for (const part of ["RoleBinding ned/staff/spawn", "Role ned/staff-role/spawn"]) {
      assert.ok(atEnd.includes(`delete kubernetes:${rbac}/v1:${part}`), atEnd.join("\n"));
    }
  });

  it("lets the watch note that a member wakes by themselves, and remove the ConfigMap that asked for it", async () => {
    // Asleep but for the last minute of a year.
    const schedule = { sleep: "0 0 1 1 *", wake: "59 23 31 12 *", wakeFor: "2h" };
    await stack.configure([ned, uma], { memberTypes });
    // An admin removes the policy `restarts`, which came with staff.
    await stack.upFine();
    await stack.configure([{ ...ned, schedule }, uma], { memberTypes });
    await up();
    const notes = async () =>
      Object.keys((await stack.sandbox.get<V1Namespace>("namespace", "ned")).metadata?.annotations ?? {}).filter(
        (key) => ["slept", "own-wakes", "awake-until"].includes(key.replace("kubecamp.dev/", "")),
      );
    assert.deepEqual(await notes(), ["kubecamp.dev/slept"]);
    const asked = await stack.sandbox.kubectl(["create", "configmap", "wake", "-n", "ned", "--as", "oidc:ned"]);
    assert.equal(asked.exitCode, 0, asked.stderr);
    const wake = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "wake", namespace: "ned", labels } };
    assert.match(await written(wake), /may write ConfigMaps of members' buckets/);
    await up();
    assert.deepEqual((await notes()).toSorted(), ["kubecamp.dev/awake-until", "kubecamp.dev/own-wakes"]);
    const left = await stack.sandbox.names("configmap", { namespace: "ned", fieldSelector: "metadata.name=wake" });
    assert.deepEqual(left, []);
  });

  it("stands before jobs of more than one repository, and others' tokens, with CI jobs", async () => {
    const more = { memberTypes, ci: { audience: "https://k8s.example.org" } };
    // As an admin does once, who writes the policy of tokens.
    await stack.configure([ned, uma], more);
    await stack.upFine();
    const asWatchDoes = async (members: readonly Entry[]) => {
      await stack.configure(members, more);
      return (await up()).steps;
    };
    const jobs = [{ issuer: "github", repository: "ned/site", ref: "refs/heads/main" }, { token: true }];
    const parts = [
      "core/v1:ServiceAccount ned/ci-account",
      `${rbac}/v1:Role ned/ci-token-role`,
      `${rbac}/v1:RoleBinding ned/ci-token`,
      `${rbac}/v1:RoleBinding ned/ci`,
    ];
    const made = await asWatchDoes([{ ...ned, ci: jobs }, uma]);
    for (const part of parts) {
      assert.ok(made.includes(`create kubernetes:${part}`), made.join("\n"));
    }

    const of = (kind: string, name: string, rest: object) =>
      written({ apiVersion: `${rbac}/v1`, kind, metadata: { name, namespace: "ned", labels }, ...rest });
    const bound = (subject: object, to = "kubecamp-edit") =>
      of("RoleBinding", "kubecamp:ci", { roleRef: { apiGroup: rbac, kind: "Role", name: to }, subjects: [subject] });
    const user = (name: string) => ({ kind: "User", name, apiGroup: rbac });
    const account = { kind: "ServiceAccount", name: "kubecamp-ci", namespace: "ned" };
    const gitlab = "https://gitlab.example.org#project_path:ned/site:ref_type:branch:ref:main";
    for (const subject of [user("github:repo:ned/site:ref:refs/heads/dev"), user(gitlab), account]) {
      assert.equal(await bound(subject), "", JSON.stringify(subject));
    }
    const others = /may bind single repositories' jobs and kubecamp-ci of the same namespace alone/;
    for (const subject of [
      somebody,
      user("github:repo:ned/*"),
      user("elsewhere:repo:ned/site:ref:refs/heads/main"),
      { ...somebody, kind: "Group" },
      { ...account, name: "default" },
      { ...account, namespace: "uma" },
    ]) {
      assert.match(await bound(subject), others, JSON.stringify(subject));
    }
    assert.match(
      await binding("ned", account),
      /may bind people and their groups, ServiceAccounts to staff-spawn alone/,
    );
    // The role of a binding never changes, so that the API server refuses it too.
    await stack.delete("rolebinding", "kubecamp:ci", "ned");
    assert.match(await bound(account, "kubecamp:ci-token"), others);

    const requests = (name: string, rule: object, role = "kubecamp:ci-token") =>
      of("Role", role, {
        rules: [
          {
            apiGroups: [""],
            resources: ["serviceaccounts/token"],
            resourceNames: [name],
            verbs: ["create"],
            ...rule,
          },
        ],
      });
    assert.equal(await requests("kubecamp-ci", {}), "");
    const guards = /but nothing that guards them/;
    assert.match(await requests("default", {}), guards);
    assert.match(await requests("kubecamp-ci", {}, "kubecamp-view"), guards);
    assert.match(await requests("kubecamp-ci", { verbs: ["create", "delete"] }), guards);
    assert.match(await requests("kubecamp-ci", { resources: ["serviceaccounts"] }), guards);

    const gone = await asWatchDoes([ned, uma]);
    for (const part of parts) {
      assert.ok(gone.includes(`delete kubernetes:${part}`), gone.join("\n"));
    }
  });
}
