import assert from "node:assert/strict";
import type { Settings } from "../../../config/settings.ts";
import { fenceText } from "../../../watch/manifests/fence.ts";
import { until } from "../program/workloads.ts";
import { discover, pathOf, type Resource } from "../support/cluster/discovery.ts";
import { applyText } from "../support/manifestFiles.ts";
import { type TestSandbox, testSandbox } from "../support/sandbox.ts";

/** What a run makes of an object. */
export interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Annotations for `undefined` are taken off. */
export function annotated(made: Made, changes: Readonly<Record<string, string | undefined>>): Made {
  const annotations = Object.fromEntries(
    Object.entries({ ...made.metadata.annotations, ...changes }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  return { ...made, metadata: { ...made.metadata, annotations } };
}

export const named = (made: Made, name: string): Made => ({ ...made, metadata: { ...made.metadata, name } });
export const withSpec = (made: Made, spec: object): Made => ({ ...made, spec: { ...spec } });

const identity = (stack: string) => `system:serviceaccount:kubecamp-system:fence-${stack}`;
const policies = ["validatingadmissionpolicybinding", "validatingadmissionpolicy"];

/** A fence and an identity for each of some stacks, before which the suite that calls this tries what a watch may write. */
export function useFences(
  stacks: Readonly<Record<string, Settings>>,
  namespace: string,
  definitions: readonly ((sandbox: TestSandbox) => Promise<() => Promise<void>>)[],
) {
  let sandbox: TestSandbox | undefined;
  let resources: readonly Resource[] = [];
  const forget: (() => Promise<void>)[] = [];
  const there = () => sandbox ?? assert.fail("before the suite");

  /** The API server is asked again for a kind that it did not have: definitions come here. */
  const resourceOf = async ({ apiVersion, kind }: Made): Promise<Resource> => {
    const isIt = (each: Resource) =>
      each.apiVersion === apiVersion && each.kind === kind && !each.resource.includes("/");
    if (!resources.some(isIt)) {
      resources = await discover(there().read);
    }
    return resources.find(isIt) ?? assert.fail(`${apiVersion} ${kind} is not served`);
  };
  const asked = async (stack: string, method: string, made: Made, query: string, body?: string) => {
    const path = pathOf(await resourceOf(made), made.metadata.namespace, made.metadata.name);
    const headers = { "content-type": "application/apply-patch+yaml", "impersonate-user": identity(stack) };
    const sent = body === undefined ? { headers } : { headers, body };
    const { code, body: answer, warnings } = await there().ask(method, `${path}?${query}dryRun=All`, sent);
    const { message } = JSON.parse(answer) as { message?: string };
    return [...warnings, ...(code < 300 ? [] : [message ?? `${code} ${answer}`])].join("\n");
  };
  /** The refusal of what the watch writes, and the API server's warnings; nothing comes of it. */
  const refusal = (stack: string, made: Made) =>
    asked(stack, "PATCH", made, "fieldManager=kubectl&force=true&fieldValidation=Strict&", JSON.stringify(made));
  /** The same of what it deletes. */
  const refusedDeletion = (stack: string, made: Made) => asked(stack, "DELETE", made, "");

  before(async () => {
    sandbox = await testSandbox();
    for (const install of definitions) {
      forget.push(await install(sandbox));
    }
    await sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    for (const [stack, settings] of Object.entries(stacks)) {
      await applyText(sandbox, fenceText(settings).replaceAll("kubecamp-watch", `fence-${stack}`));
      await sandbox.apply({
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: `fence-${stack}` },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "User", name: identity(stack), apiGroup: "rbac.authorization.k8s.io" }],
      });
    }
    // The API server takes a moment to go by them.
    for (const stack of Object.keys(stacks)) {
      const other = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace } };
      await until(async () => (await refusal(stack, other)).includes("kubecamp watch may not touch"));
    }
  });
  after(async () => {
    for (const kind of policies) {
      const names = await there().names(kind);
      for (const name of names.filter((each) => each.startsWith("fence-"))) {
        await there().remove(await there().pathTo(kind, name));
      }
    }
    for (const stack of Object.keys(stacks)) {
      await there().remove(await there().pathTo("clusterrolebinding", `fence-${stack}`));
    }
    await Promise.all(forget.map((each) => each()));
  });

  return { sandbox: there, refusal, refusedDeletion };
}
