import assert from "node:assert/strict";
import { join } from "node:path";
import { objectLabel } from "../../../../../config/names/labels.ts";
import { type GivenKind, givenEntry } from "../../../../../config/objects/givenKinds.ts";
import { starterDeployment } from "../../../../../objects/starter/starterDeployment.ts";
import { watchFolder } from "../../../../unit/deploy/manifests.ts";
import { configuration } from "../../../../unit/samples.ts";
import { until } from "../../../program/workloads.ts";
import { applyFiles, deleteFiles } from "../../../support/manifestFiles.ts";
import { callerWith } from "../../../support/signIn/signedIn.ts";
import { type DryRuns, labels } from "../dryRuns.ts";
import { ned, stackSettings, uma, type WatchStack } from "../watchStack.ts";

/** Pods that the watch makes, or changes: of starter apps, where members sleep, and where they are given some. */
export function apps({ stack, token, upOf }: WatchStack, { written }: DryRuns) {
  it("before apps that read Secrets or have a token, where it makes starter apps", async () => {
    const { steps } = await upOf([ned, { ...uma, starter: "kept" }]);
    for (const made of ["starter/pages", "starter/deployment", "service"]) {
      assert.ok(
        steps.some((step) => step.startsWith("create ") && step.endsWith(` uma/${made}`)),
        steps.join("\n"),
      );
    }
    const [who] = configuration({ members: [{ member: "ned", type: "user", starter: "kept" }] }).members;
    const { metadata, spec } = starterDeployment(who ?? assert.fail(), "kept", stackSettings);
    const app = (pod: object, container: object = {}, name = metadata.name) => {
      const containers = spec.template.spec.containers.map((each) => ({ ...each, ...container }));
      const template = { ...spec.template, spec: { ...spec.template.spec, containers, ...pod } };
      const object = { ...metadata, name };
      return written({ apiVersion: "apps/v1", kind: "Deployment", metadata: object, spec: { ...spec, template } });
    };
    await until(async () => (await app({})) === "");
    const others = /may run starter apps alone, which read no Secret and have no token/;
    const secret = { name: "key" };
    const [, scratch] = spec.template.spec.volumes;
    for (const [pod, container] of [
      [{ automountServiceAccountToken: true }],
      [{ volumes: [{ name: "pages", secret: { secretName: "key" } }, scratch] }],
      [{ initContainers: [{ name: "x", image: "x", envFrom: [{ secretRef: secret }] }] }],
      [{}, { envFrom: [{ secretRef: secret }] }],
      [{}, { env: [{ name: "KEY", valueFrom: { secretKeyRef: { ...secret, key: "key" } } }] }],
    ] as const) {
      assert.match(await app(pod, container), others);
    }
    assert.match(await app({}, {}, "web"), others);
  });

  it("before all of a workload but one annotation, where members sleep", async () => {
    const [name, namespace] = ["db", "ned"];
    // The watch itself may not create a pod that reads a Secret.
    const env = [{ name: "KEY", valueFrom: { secretKeyRef: { name: "key", key: "key", optional: true } } }];
    const template = {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name, image: name, env }] },
    };
    const selector = { matchLabels: { app: name } };
    await stack.sandbox.apply({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name, namespace },
      spec: { replicas: 0, serviceName: name, selector, template },
    });
    // kubectl would ask for the right to get the subresource, too.
    const own = callerWith(stack.sandbox, await token());
    const patched = async (patch: object, subresource = "") => {
      const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}${subresource}?dryRun=All`;
      const { status, body } = await own.ask("PATCH", path, patch, "application/merge-patch+json");
      return status === 200 ? "" : JSON.stringify(body);
    };
    const status = "/status";
    const nudged = { metadata: { annotations: { "kubecamp.dev/nudged": "now" } } };
    await until(async () => (await patched(nudged, status)) === "");
    for (const patch of [
      { metadata: { annotations: { "example.org/other": "x" } } },
      { metadata: { labels: { app: "x" } } },
      { metadata: { finalizers: ["example.org/stay"] } },
      { status: { replicas: 7 } },
    ]) {
      assert.match(
        await patched(patch, status),
        /may have controllers look at workloads again, and change nothing of them/,
      );
    }
    assert.match(await patched(nudged), /may run starter apps alone/);
    assert.equal(await patched({ spec: { replicas: 7 } }, status), "");
    const metadata = { name: "former", namespace };
    await stack.sandbox.apply({
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata,
      spec: { replicas: 0, template },
    });
    const former = async (patch: object) => {
      const path = `/api/v1/namespaces/${namespace}/replicationcontrollers/former/status?dryRun=All`;
      const { status, body } = await own.ask("PATCH", path, patch, "application/merge-patch+json");
      return status === 200 ? "" : JSON.stringify(body);
    };
    assert.equal(await former(nudged), "");
    assert.match(await former({ status: { replicas: 7 } }), /look at workloads again, and change nothing of them/);
    await stack.delete("replicationcontroller", "former", namespace);
    await stack.delete("statefulset", name, namespace);
  });

  it("stands before members' objects with a token or what is of the node, if given", async () => {
    const file = join(watchFolder, "optional/secrets.yaml");
    await applyFiles(stack.sandbox, file);
    const given = { labels: { ...labels, [objectLabel]: "true" } };
    const object = (kind: GivenKind, metadata: object, rest: object, name = "tutor") => {
      const { apiVersion } = givenEntry(kind);
      return written({ apiVersion, kind, metadata: { name, namespace: "ned", ...metadata }, ...rest });
    };
    const workloads = (["CronJob", "DaemonSet", "Deployment", "StatefulSet"] as const).map(
      (kind) => (pod: object, metadata: object) => {
        // The API server warns of less.
        const confined = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
        const containers = [{ name: "tutor", image: "tutor", securityContext: confined }];
        const securityContext = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
        const template = { metadata: { labels: { app: "tutor" } }, spec: { securityContext, containers, ...pod } };
        const job = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
        const spec =
          kind === "CronJob"
            ? { schedule: "0 4 * * *", jobTemplate: { spec: { template: job } } }
            : { selector: { matchLabels: { app: "tutor" } }, template };
        return object(kind, metadata, { spec: kind === "StatefulSet" ? { ...spec, serviceName: "tutor" } : spec });
      },
    );
    const token = { serviceAccountToken: { path: "token" } };
    for (const workload of workloads) {
      await until(async () => (await workload({}, given)) === "");
      assert.equal(await workload({ volumes: [{ name: "key", secret: { secretName: "registry" } }] }, given), "");
      for (const pod of [
        { automountServiceAccountToken: true },
        { serviceAccountName: "admin" },
        { volumes: [{ name: "node", hostPath: { path: "/" } }] },
        { volumes: [{ name: "token", projected: { sources: [token] } }] },
      ]) {
        // The stack's own policy refuses the node's volumes too, and the API server shows one refusal.
        const refusal = /may give members pods without a token alone|which the node would mount in its own name/;
        assert.match(await workload(pod, given), refusal);
      }
      assert.match(await workload({}, { labels }), /may run starter apps alone/);
    }
    assert.equal(await object("ConfigMap", given, { data: {} }), "");
    assert.match(await object("ConfigMap", { labels }, { data: {} }), /may write ConfigMaps of members' buckets/);
    assert.equal(await object("Service", given, { spec: { selector: { app: "tutor" }, ports: [{ port: 80 }] } }), "");
    const pull = { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{}" } };
    assert.equal(await object("Secret", given, pull, "registry"), "");
    const secrets = /may write Secrets of members' buckets alone/;
    assert.match(await object("Secret", { labels }, pull, "registry"), secrets);
    const annotations = { "kubernetes.io/service-account.name": "default" };
    const ofAccount = { type: "kubernetes.io/service-account-token" };
    assert.match(await object("Secret", { ...given, annotations }, ofAccount, "registry"), secrets);
    await deleteFiles(stack.sandbox, file);
  });
}
