import type { PolicyRule } from "../../../../watch/manifests/roles.ts";
import type { TestStack } from "../../program/stack.ts";
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
  const written = async (object: Written) => {
    const { code, body, warnings } = await stack.sandbox.ask(
      "PATCH",
      `${await stack.sandbox.placeOf(object)}/${object.metadata.name}?fieldManager=kubectl&force=true&dryRun=All`,
      {
        headers: { "content-type": "application/apply-patch+yaml", "impersonate-user": identity },
        body: JSON.stringify(object),
      },
    );
    return [...warnings, ...([200, 201].includes(code) ? [] : [JSON.parse(body).message])].join("\n");
  };
  const role = (name: string, namespace: string, rule: PolicyRule) =>
    written({ apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name, namespace, labels }, rules: [rule] });
  const clusterRoleWith = (rules: readonly PolicyRule[]) =>
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
