import assert from "node:assert/strict";
import type { Rule } from "../../../../watch/manifests/rights/rights.ts";
import type { TestStack } from "../../program/stack.ts";
import { discover, pathOf, type Resource } from "../../support/cluster/discovery.ts";
import { identity, rbac } from "./watchStack.ts";

interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

export type DryRuns = ReturnType<typeof dryRunsOf>;

export const labels = { "kubecamp.dev/stack": "prod", "kubecamp.dev/member": "ned" };
export const somebody = { kind: "User", name: "oidc:ned", apiGroup: rbac };

/** What the watch may try to write. Nothing comes of it; each gives the refusal, or warnings. */
export function dryRunsOf(stack: TestStack) {
  let resources: Promise<readonly Resource[]> | undefined;
  const written = async (object: Written) => {
    const { apiVersion, kind, metadata } = object;
    resources ??= discover(stack.sandbox.read);
    const resource =
      (await resources).find((each) => each.apiVersion === apiVersion && each.kind === kind) ?? assert.fail(kind);
    const { code, body, warnings } = await stack.sandbox.ask(
      "PATCH",
      `${pathOf(resource, metadata.namespace, metadata.name)}?fieldManager=kubectl&force=true&dryRun=All`,
      {
        headers: { "content-type": "application/apply-patch+yaml", "impersonate-user": identity },
        body: JSON.stringify(object),
      },
    );
    return [...warnings, ...([200, 201].includes(code) ? [] : [JSON.parse(body).message])].join("\n");
  };
  const role = (name: string, namespace: string, rule: Rule) =>
    written({ apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name, namespace, labels }, rules: [rule] });
  const clusterRoleWith = (rules: readonly Rule[]) =>
    written({
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "kubecamp:prod:view-guest", labels },
      rules,
    });
  const binding = (namespace: string, subject: object, roleRef = { kind: "Role", name: "kubecamp-view" }) =>
    written({
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name: "kubecamp-view", namespace, labels },
      roleRef: { apiGroup: rbac, ...roleRef },
      subjects: [subject],
    });
  return { written, role, clusterRoleWith, binding };
}
