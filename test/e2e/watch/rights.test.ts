import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { V1ConfigMap, V1Lease, V1LimitRange, V1ValidatingAdmissionPolicy } from "@kubernetes/client-node";
import { stringify } from "yaml";
import { type GivenKind, givenEntry } from "../../../config/model/members/givenKinds.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { bucketLabel, objectLabel } from "../../../naming/labels.ts";
import {
  admissionPolicies,
  admissionPolicyName,
  backendCaName,
  backendCaSecretName,
  starterPagesName,
} from "../../../naming/names.ts";
import { bindingOf } from "../../../plan/objects/admission/policies.ts";
import { clusterRole } from "../../../plan/objects/rbac/clusterRole.ts";
import { starterDeployment } from "../../../plan/objects/starter/starterDeployment.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { fenceText } from "../../../watch/manifests/fence.ts";
import { grants, type Rule, rightsIn, textOf } from "../../../watch/manifests/rights/rights.ts";
import { manifests, podTemplate, rightsOf, unneeded, watchFolder } from "../../unit/deploy/manifests.ts";
import { configuration, settings } from "../../unit/samples.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { deploy, makeService, until } from "../program/workloads.ts";
import { discover, pathOf, type Resource } from "../support/cluster/discovery.ts";
import { customDefinition } from "../support/definitions/custom.ts";
import { installDefinitions } from "../support/definitions/definitions.ts";
import { callerWith } from "../support/signIn/signedIn.ts";
import { FrontDoor } from "./frontDoor.ts";
import { RunningWatch } from "./runningWatch.ts";

const identity = "system:serviceaccount:kubecamp-system:kubecamp-watch";
const lease = "kubecamp-system/kubecamp-watch";
const files = ["namespace.yaml", "rbac.yaml", "fence.yaml"];
const rbac = "rbac.authorization.k8s.io";

/** Rights that a request of this test needs or not, by who is first and which plugin it is. */
const races: readonly string[] = [
  // Kubernetes makes one in every new namespace; a run that comes before it makes it.
  "create serviceaccounts default",
  // The official plugin lists when it refreshes, and where an API server doesn't begin a watch with what is there:
  // https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists
  "list events",
];

const stackSettings: Settings = { ...settings, stack: "prod" };
const memberTypes = { reader: { home: "view", others: "view-guest", quota: false } };
const route = { host: "camp.test", readiness: { requires: "endpoints" } };
const ned: Entry = { member: "ned", type: "user" };
const uma: Entry = { member: "uma", type: "admin" };
const pia: Entry = { member: "pia", type: "guest-user" };
/** Was there before, with an owner that is to go. */
const old: Entry = { member: "old", type: "user", adopt: true };

interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

describe("the rights of kubecamp watch", () => {
  const stack = useStack("prod");
  let door: FrontDoor;
  let kubeconfig: string;
  const rights = rightsOf(manifests("rbac.yaml"));
  let watch: RunningWatch | undefined;
  /** As deploy/ has the watch run: with its own rights, behind the fence. */
  const upOutput = async (members: readonly Entry[], ...flags: string[]) => {
    await stack.configure(members, { memberTypes });
    const run = await stack.run(["up", "--yes", "--skip-preview", ...flags], { KUBECONFIG: kubeconfig });
    assert.equal(run.exitCode, 0, run.output);
    return run;
  };
  const up = async (members: readonly Entry[], ...flags: string[]) => (await upOutput(members, ...flags)).steps;
  const images = admissionPolicyName("images", stackSettings);
  const policyKind = "validatingadmissionpolicy";
  const loosened = () => stack.sandbox.merge(policyKind, images, undefined, { spec: { failurePolicy: "Ignore" } });
  const failurePolicy = async () =>
    (await stack.sandbox.get<V1ValidatingAdmissionPolicy>(policyKind, images)).spec?.failurePolicy;
  const events = (namespace: string, reason: string) =>
    stack.sandbox.names("event", { namespace, fieldSelector: `reason=${reason}` });
  const holder = async () =>
    (await stack.sandbox.get<V1Lease>("lease", "kubecamp-watch", "kubecamp-system")).spec?.holderIdentity;
  const asWatch = (...args: string[]) => stack.sandbox.kubectl([...args, "--as", identity]);

  before(async () => {
    for (const file of files) {
      await stack.kubectl("apply", "-f", join(watchFolder, file));
    }
    door = new FrontDoor(stack.sandbox, identity);
    await door.open(stack.folder);
    const token = await stack.kubectl("create", "token", "kubecamp-watch", "-n", "kubecamp-system");
    kubeconfig = await otherKubeconfig(stack, { server: door.url, token });
    await filled();
    // As an admin does once, whose part the admission policies stay.
    await stack.configure([], { memberTypes });
    await stack.upFine();
    await stack.delete("clusterrole", "kubecamp:prod:view");
    await stack.delete("clusterrole", "kubecamp:prod:view-guest");
  });
  after(async () => {
    await watch?.end("SIGKILL");
    await door.close();
    await stack.sandbox.remove("/api/v1/namespaces/monitoring");
    for (const file of [...files].reverse()) {
      await stack.kubectl("delete", "--ignore-not-found", "-f", join(watchFolder, file));
    }
  });

  /** Objects made by hand before kubecamp. */
  async function filled(): Promise<void> {
    // Without an admin's word for it the watch takes no namespace over, whatever the list of members says.
    const labels = { "kubecamp.dev/stack": stack.name };
    const owner = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner", namespace: "old" } };
    await stack.sandbox.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "old", labels } }, owner);
    const { metadata: made } = await stack.sandbox.get<V1ConfigMap>("configmap", "owner", "old");
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: made?.uid }];
    const metadata = { name: "default-limits", namespace: "old", ownerReferences };
    await stack.sandbox.apply({ apiVersion: "v1", kind: "LimitRange", metadata, spec: { limits: [] } });
    await makeService(stack, "old");
  }

  describe("are enough", () => {
    it("to make members, to take over what is there, and to open a route", async () => {
      const steps = await up([ned, uma, pia, old], "--refresh");
      for (const step of [
        "create kubernetes:core/v1:Namespace ned/namespace",
        "create kubernetes:core/v1:Service old/route/service",
        "create kubernetes:networking.k8s.io/v1:Ingress old/route/ingress",
      ]) {
        assert.ok(steps.includes(step), step);
      }
      const limits = await stack.sandbox.list<V1LimitRange>("limitrange", { namespace: "old" });
      assert.deepEqual(
        limits.map(({ metadata }) => metadata?.ownerReferences),
        [undefined],
      );
    });

    it("to close it, to change quota and roles, and to suspend with running pods", async () => {
      await deploy(stack, "uma", 1);
      await stack.delete("service", "old-svc", "old");
      const steps = await up([{ ...ned, type: "reader" }, { ...uma, suspended: true }, { ...pia, maxCPUm: 400 }, old]);
      for (const step of [
        "delete kubernetes:networking.k8s.io/v1:Ingress old/route/ingress",
        `delete kubernetes:${rbac}/v1:Role ned/role/edit`,
        "create kubernetes:core/v1:ResourceQuota uma/quota",
        "update kubernetes:core/v1:ResourceQuota pia/quota",
      ]) {
        assert.ok(steps.includes(step), step);
      }
      assert.deepEqual(await stack.sandbox.names("pod", { namespace: "uma" }), []);
    });

    it("to do all else where an admission policy is not as it is declared, which is left to an admin", async () => {
      await loosened();
      const { output, steps } = await upOutput([{ ...ned, type: "reader" }, { ...uma, suspended: true }, pia, old]);
      assert.match(
        output,
        /this identity may not write\. They stay(.*\n)* +ValidatingAdmissionPolicy kubecamp-images-prod\n/,
      );
      assert.deepEqual(
        steps.filter((step) => step.includes("ValidatingAdmissionPolicy")),
        [],
      );
      assert.ok(steps.includes("update kubernetes:core/v1:ResourceQuota pia/quota"), steps.join("\n"));
      assert.equal(await failurePolicy(), "Ignore");
    });

    it("for kubecamp watch to put back what is gone, to let back in, and to remove with everything", async () => {
      await stack.delete("networkpolicy", "isolation", "old");
      const expires = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await stack.configure([{ ...ned, expires }, uma, old], { memberTypes, route });
      await stack.makeProject();
      watch = await RunningWatch.start(stack, { KUBECONFIG: kubeconfig, POD_NAME: "watch-0" }, ["--lease", lease]);
      assert.equal(await holder(), "watch-0");
      await watch.ready();
      await until(
        async () => (await stack.sandbox.names("namespace", { labelSelector: "kubecamp.dev/member=pia" })).length === 0,
      );
      assert.deepEqual(await stack.sandbox.names("resourcequota", { namespace: "uma" }), []);
      assert.deepEqual(await stack.sandbox.names("networkpolicy", { namespace: "old" }), ["isolation"]);
      await watch.reported("told", { code: "expires", member: "ned" });
      await until(async () => (await events("ned", "Expires")).length > 0);
      await watch.reported("left to an admin", { object: `ValidatingAdmissionPolicy ${images}` });
      assert.equal(await failurePolicy(), "Ignore");
    });

    it("for it to open a route once there is a pod behind the Service, to say so, and to end", async () => {
      await deploy(stack, "old", 1);
      await stack.sandbox.apply({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "old-svc", namespace: "old" },
        spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
      });
      await watch?.reported("route opened", { member: "old" });
      await until(async () => (await stack.sandbox.names("ingress", { namespace: "ingress-nginx" })).join() === "old");
      assert.equal(await watch?.end("SIGTERM"), 0, watch?.output);
      // The next holder need not wait until the Lease expires.
      assert.equal(await holder(), undefined);
      assert.notDeepEqual(await events("old", "RouteOpened"), []);
      assert.doesNotMatch(watch?.output ?? "", /forbidden/i);
      assert.equal(watch?.of("left to an admin").length, 1);
      await stack.upFine();
      assert.equal(await failurePolicy(), "Fail");
    });
  });

  describe("are no more than that", () => {
    /** A member's view: RBAC requires that its writer holds these rights, which no authorizer is asked about. */
    const granted = () => {
      return rightsIn(clusterRole("view", stackSettings).rules);
    };

    it("each is one without which a request would have been refused", () => {
      assert.deepEqual(
        races.filter((text) => !rights.map(textOf).includes(text)),
        [],
        "granted nevertheless",
      );
      const excused = new Set([...races, ...granted().map(textOf)]);
      const left = unneeded(rights, door.asked).map(textOf);
      assert.deepEqual(
        left.filter((text) => !excused.has(text)),
        [],
      );
    });

    it("what was asked beyond them is to grant any right in the whole cluster, to write policies, and to hurry pods back after a suspension", () => {
      const beyond = door.asked.filter((asked) => !grants(rights, asked)).map(textOf);
      const policies = admissionPolicies.flatMap((policy) =>
        ["validatingadmissionpolicies", "validatingadmissionpolicybindings"].map(
          (kind) => `patch ${kind}.admissionregistration.k8s.io ${admissionPolicyName(policy, stackSettings)}`,
        ),
      );
      // Everybody may ask that about themselves.
      const asking = "create selfsubjectaccessreviews.authorization.k8s.io";
      // The rights `sleep` allow it. Without them, the run says that pods are back later.
      const hurried =
        /^(patch (daemonsets|replicasets|statefulsets)\/status\.apps|(list replicationcontrollers|patch replicationcontrollers\/status)) /;
      const others = [...new Set(beyond)].filter(
        (text) => ![asking, ...policies].includes(text) && !hurried.test(text),
      );
      assert.deepEqual(others.sort(), [
        `bind clusterroles.${rbac} kubecamp:prod:view`,
        `bind clusterroles.${rbac} kubecamp:prod:view-guest`,
        `escalate clusterroles.${rbac} kubecamp:prod:view`,
        `escalate clusterroles.${rbac} kubecamp:prod:view-guest`,
      ]);
    });
  });

  describe("end", () => {
    const refused = async (words: RegExp, ...args: string[]) => {
      const { exitCode, stderr } = await asWatch(...args);
      assert.notEqual(exitCode, 0, args.join(" "));
      assert.match(stderr, words);
    };
    const labels = { "kubecamp.dev/stack": stack.name, "kubecamp.dev/member": "ned" };
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
    const clusterBinding = (name: string, roleName: string, marks: object) =>
      written({
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name, labels: marks },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: roleName },
        subjects: [somebody],
      });
    const space = (name: string, marks: object) =>
      written({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels: marks } });
    const twin = (name: string, spec: object) =>
      written({ apiVersion: "v1", kind: "Service", metadata: { name, namespace: "ingress-nginx", labels }, spec });
    const path = (marks: object, annotations: object, service = "ned-svc") =>
      written({
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "ned", namespace: "ingress-nginx", labels: marks, annotations },
        spec: {
          ingressClassName: "nginx",
          rules: [
            {
              host: "camp.test",
              http: {
                paths: [
                  { path: "/ned", pathType: "Prefix", backend: { service: { name: service, port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      });
    let resources: readonly Resource[];
    before(async () => {
      resources = await discover(stack.sandbox.read);
    });
    /** As the watch writes; nothing comes of it. @returns the refusal, or warnings */
    const written = async (object: Written) => {
      const { apiVersion, kind, metadata } = object;
      const resource =
        resources.find((each) => each.apiVersion === apiVersion && each.kind === kind) ?? assert.fail(kind);
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
    const secrets = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
    const somebody = { kind: "User", name: "oidc:ned", apiGroup: rbac };

    it("before Secrets, containers, pods and the cluster's own roles", async () => {
      await refused(/cannot list resource "secrets"/, "get", "secrets", "--all-namespaces");
      await refused(/cannot get resource "secrets"/, "get", "secret", "any", "-n", "ned");
      await refused(/cannot create resource "pods"/, "run", "web", "--image=web", "-n", "ned");
      await refused(
        /cannot create resource "serviceaccounts\/token"/,
        "create",
        "token",
        "default",
        "-n",
        "kube-system",
      );
      await refused(
        /attempting to grant RBAC permissions not currently held/,
        "create",
        "clusterrolebinding",
        "kubecamp:prod:x:view",
        "--clusterrole=cluster-admin",
        "--user=oidc:ned",
      );
      const other = {
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRole",
        metadata: { name: "kubecamp:other:view" },
        rules: [],
      };
      assert.match(await written(other), /cannot patch resource "clusterroles"/);
      await refused(/cannot delete resource "clusterroles"/, "delete", "clusterrole", "kubecamp:prod:view");
      const exec = await asWatch("auth", "can-i", "create", "pods/exec", "-n", "ned");
      assert.equal(exec.stdout, "no");
    });

    it("before roles of other names, although it may grant more than it has", async () => {
      assert.match(await role("mine", "ned", secrets), /roles.* "mine" is forbidden/);
      assert.equal(await role("kubecamp-view", "ned", secrets), "");
      assert.equal(await binding("ned", somebody), "");
    });

    it("where a namespace is nobody's home, named in a list or not", async () => {
      await stack.sandbox.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "monitoring" } });
      const apart = ["kube-system", "default", "ingress-nginx", "kubecamp-system", "monitoring"];
      for (const namespace of apart) {
        const there = new RegExp(`kubecamp watch may not touch role\\w+ kubecamp-view in namespace ${namespace}, `);
        assert.match(await role("kubecamp-view", namespace, secrets), there);
        assert.match(await binding(namespace, somebody), there);
        const itself = new RegExp(`kubecamp watch may not touch namespaces ${namespace}, `);
        await refused(itself, "label", "namespace", namespace, "kubecamp.dev/stack=prod", "--dry-run=server");
        // Some the API server itself lets nobody delete.
        const immortal = new RegExp(`${itself.source}|this namespace may not be deleted`);
        await refused(immortal, "delete", "namespace", namespace, "--dry-run=server");
      }
      // Each pod of a collection is judged by itself.
      const spec = { containers: [{ name: "idle", image: "idle" }] };
      await stack.sandbox.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "idle", namespace: "default" },
        spec,
      });
      await refused(/may not touch pods .*default/, "delete", "--raw", "/api/v1/namespaces/default/pods");
      await stack.delete("pod", "idle", "default");
    });

    it("where a namespace would be nobody's any more, or let pods have the node", async () => {
      const level = "pod-security.kubernetes.io/enforce";
      assert.equal(await space("ned", { ...labels, [level]: "restricted" }), "");
      const privileged = /may let nobody's pods be privileged/;
      assert.match(await space("ned", { ...labels, [level]: "privileged" }), privileged);
      await refused(privileged, "label", "namespace", "ned", `${level}-`, "--dry-run=server");
      const disowned = /may not touch namespaces ned, /;
      await refused(disowned, "label", "namespace", "ned", "kubecamp.dev/stack-", "--dry-run=server");
      assert.match(await space("zoe", { [level]: "baseline" }), /may not touch namespaces zoe, /);
    });

    it("before ServiceAccounts that give their token to every pod", async () => {
      const account = (rest: object, name = "default") =>
        written({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "ned", labels }, ...rest });
      assert.equal(await account({ automountServiceAccountToken: false }), "");
      const tokens = /may have no ServiceAccount give its token to every pod/;
      assert.match(await account({ automountServiceAccountToken: true }), tokens);
      assert.match(await account({ automountServiceAccountToken: false }, "mine"), /cannot patch/);
    });

    it("before apps that read Secrets or have a token, where it makes starter apps", async () => {
      const optional = ["starter", "managed"].flatMap((name) => ["-f", join(watchFolder, `optional/${name}.yaml`)]);
      await stack.kubectl("apply", ...optional);
      const steps = await up([ned, { ...uma, starter: "kept" }, old]);
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
      assert.match(await app({}, {}, "web"), /cannot (patch|create)/);
      await stack.kubectl("delete", ...optional);
    });

    it("before all of a workload but one annotation, where members sleep", async () => {
      const file = join(watchFolder, "optional/sleep.yaml");
      await stack.kubectl("apply", "-f", file);
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
      const [, , space = "", account = ""] = identity.split(":");
      // kubectl would ask for the right to get the subresource, too.
      const own = callerWith(stack.sandbox, await stack.kubectl("create", "token", account, "-n", space));
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
      assert.match(await patched(nudged), /cannot patch/);
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
      await stack.kubectl("delete", "-f", file);
    });

    it("before objects for members with a token or what is of the node, where members are given objects", async () => {
      const file = join(watchFolder, "optional/objects.yaml");
      await stack.kubectl("apply", "-f", file);
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
      await stack.kubectl("delete", "-f", file);
    });

    it("before staff with more than help, where it lets staff in", async () => {
      const optional = ["staff", "starter", "managed"].flatMap((name) => [
        "-f",
        join(watchFolder, `optional/${name}.yaml`),
      ]);
      await stack.kubectl("apply", ...optional);
      const entries = [ned, { ...uma, starter: "kept" }, old];
      await stack.configure(entries, { memberTypes, staff: [{ group: "ta-cs101", role: "assist" }] });
      // An admin writes the policy `restarts`, and here all else, too.
      await stack.upFine();
      const assist = "kubecamp:staff-assist";
      await stack.delete("rolebinding", assist, "ned");
      await stack.delete("role", assist, "ned");
      const env = { KUBECONFIG: kubeconfig };
      const run = await stack.run(["up", "--yes", "--skip-preview", "--refresh"], env);
      assert.equal(run.exitCode, 0, run.output);
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
      await stack.kubectl("delete", ...optional);
    });

    it("and are enough for custom kinds of objects for members, with their file", async () => {
      const definition = customDefinition("example.org", { kind: "Widget", plural: "widgets" });
      const uninstall = await installDefinitions(stack.sandbox, JSON.stringify(definition));
      const optional = join(watchFolder, "optional/object-kinds.yaml");
      await stack.kubectl("apply", "-f", optional);
      const manifest = {
        apiVersion: "example.org/v1",
        kind: "Widget",
        metadata: { name: "tutor" },
        spec: { owner: "x" },
      };
      const widgets = join(stack.folder, "widgets.yaml");
      await writeFile(widgets, stringify(manifest));
      const entries = [ned, uma, old];
      await stack.configure(entries, {
        memberTypes,
        objectKinds: [{ apiVersion: "example.org/v1", kind: "Widget" }],
        objects: [{ file: relative(repository, widgets), for: { members: ["ned"] } }],
      });
      // An admin writes the policy `reserved`, and here all else, too.
      await stack.upFine();
      const asWatch = () => stack.run(["up", "--yes", "--skip-preview", "--refresh"], { KUBECONFIG: kubeconfig });
      const owner = async () =>
        (await stack.sandbox.get<{ spec: { owner: string } }>("widget", "tutor", "ned")).spec.owner;
      await stack.delete("widget", "tutor", "ned");
      const again = await asWatch();
      assert.equal(again.exitCode, 0, again.output);
      assert.equal(await owner(), "x");
      await stack.sandbox.merge("widget", "tutor", "ned", { spec: { owner: "y" } });
      const reset = await asWatch();
      assert.equal(reset.exitCode, 0, reset.output);
      assert.equal(await owner(), "x");
      await stack.configure(entries, { memberTypes });
      const removal = await asWatch();
      assert.equal(removal.exitCode, 0, removal.output);
      assert.deepEqual(await stack.sandbox.names("widget"), []);
      await stack.kubectl("delete", "-f", optional);
      await uninstall();
    });

    it("before what guards members, though a custom kind that they edit is called as one of these", async () => {
      const kind = "Guard.v1.example.org:resourcequotas" as const;
      const fence = fenceText({ ...stackSettings, objectKinds: [{ kind, isEditable: true }] });
      await stack.sandbox.kubectl(["apply", "-f", "-"], { input: fence });
      const rule = (groups: readonly string[], all: readonly string[]) =>
        role("kubecamp-edit", "ned", { apiGroups: [...groups], resources: [...all], verbs: ["create"] });
      await until(async () => (await rule(["example.org"], ["resourcequotas"])) === "");
      assert.equal(await rule([""], ["pods"]), "");
      for (const [groups, all] of [
        [[""], ["resourcequotas"]],
        [
          ["", "example.org"],
          ["pods", "resourcequotas"],
        ],
        [["example.org"], ["pods"]],
        [["apps"], ["secrets"]],
      ] as const) {
        assert.match(await rule(groups, all), /but nothing that guards them/, `${groups} ${all}`);
      }
      await stack.kubectl("apply", "-f", join(watchFolder, "fence.yaml"));
    });

    it("before Secrets and ConfigMaps that are no bucket's, where members have buckets", async () => {
      const file = join(watchFolder, "optional/buckets.yaml");
      await stack.kubectl("apply", "-f", file);
      const object = (kind: string, name: string, metadata: object, rest: object = {}, namespace = "ned") =>
        written({ apiVersion: "v1", kind, metadata: { name, namespace, labels, ...metadata }, ...rest });
      const bucket = { labels: { ...labels, [bucketLabel]: "data" } };
      const account = { ...bucket, annotations: { "kubernetes.io/service-account.name": "default" } };
      const token = { type: "kubernetes.io/service-account-token" };
      await until(async () => (await object("Secret", "data", bucket)) === "");
      for (const [name, metadata, namespace] of [
        [backendCaSecretName({ stack: "prod" }), {}, "ingress-nginx"],
        ["data", bucket, "ned"],
      ] as const) {
        assert.equal(await object("Secret", name, metadata, {}, namespace), "", name);
      }
      const secrets = /may write Secrets of members' buckets alone/;
      assert.match(await object("Secret", "data", {}), secrets);
      assert.match(await object("Secret", "data", account, token), secrets);
      assert.match(await object("Secret", "camp-tls", bucket, {}, "ingress-nginx"), secrets);
      assert.match(
        await object("Secret", "data", bucket, {}, "default"),
        /may not touch secrets data in namespace default/,
      );
      for (const [name, metadata] of [
        ["data", bucket],
        [starterPagesName, {}],
        [backendCaName, {}],
      ] as const) {
        assert.equal(await object("ConfigMap", name, metadata), "", name);
      }
      // It may list every Secret itself by now, and so RBAC would let it grant that.
      assert.match(
        await clusterRoleWith([{ apiGroups: [""], resources: ["secrets"], verbs: ["list"] }]),
        /may let members see no more of others than workloads/,
      );
      assert.match(await object("ConfigMap", "data", {}), /may write ConfigMaps of members' buckets, starter pages/);
      await stack.kubectl("delete", "-f", file);
    });

    it("before admission policies, unless it is asked to write its stack's, which no policy can judge", async () => {
      const policy = bindingOf("amounts", stackSettings);
      const judging = (name: string) => {
        const metadata = { name, labels: { "kubecamp.dev/stack": stack.name } };
        const spec = { ...policy.spec, validationActions: ["Audit"] };
        const kind = "ValidatingAdmissionPolicyBinding";
        return written({ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata, spec });
      };
      for (const name of ["kubecamp-watch", "mine", images]) {
        assert.match(await judging(name), /cannot patch/, name);
      }
      // A starter app of the tests before is there still.
      const files = ["policies", "starter", "managed"].flatMap((name) => [
        "-f",
        join(watchFolder, `optional/${name}.yaml`),
      ]);
      await stack.kubectl("apply", ...files);
      await until(async () => (await judging(images)) === "");
      for (const name of ["kubecamp-watch", "mine"]) {
        assert.match(await judging(name), /cannot patch/, name);
      }
      await loosened();
      const steps = await up([ned, { ...uma, starter: "kept" }, old]);
      assert.ok(
        steps.some((step) => step.endsWith(" access/admission/images")),
        steps.join("\n"),
      );
      assert.equal(await failurePolicy(), "Fail");
      await stack.kubectl("delete", ...files);
    });

    it("where it would be about itself, or Kubernetes' own", async () => {
      const [, , , name = ""] = identity.split(":");
      const self = /may bind people and their groups, no ServiceAccount/;
      assert.match(await binding("ned", { kind: "ServiceAccount", name, namespace: "kubecamp-system" }), self);
      assert.match(await binding("ned", { kind: "User", name: identity, apiGroup: rbac }), self);
      assert.match(await binding("ned", { kind: "Group", name: "system:authenticated", apiGroup: rbac }), self);
    });

    it("before its own rights, which it may hand to nobody: no fence is about them", async () => {
      const mine = /may bind to its stack's roles alone/;
      const name = "kubecamp:prod:ned:view";
      assert.match(await clusterBinding("kubecamp:prod:ned:x", "kubecamp-watch", labels), mine);
      assert.match(await binding("uma", somebody, { kind: "ClusterRole", name: "kubecamp-watch" }), mine);
      assert.equal(await clusterBinding("kubecamp:prod:ned:x", "kubecamp:prod:view", labels), "");
      const others = /may not touch clusterrolebindings/;
      assert.match(await clusterBinding("kubecamp:prod:ned:x", "kubecamp:prod:view", {}), others);
      await refused(others, "delete", "clusterrolebinding", "cluster-admin", "--dry-run=server");
      await refused(others, "label", "clusterrolebinding", name, "kubecamp.dev/stack-", "--dry-run=server");
      const managedObject = /but nothing that guards them/;
      const escalate = {
        apiGroups: [rbac],
        resources: ["roles"],
        resourceNames: ["kubecamp-view"],
        verbs: ["escalate"],
      };
      assert.match(await clusterRoleWith([escalate]), managedObject);
      assert.match(
        await clusterRoleWith([{ apiGroups: [""], resources: ["pods"], verbs: ["deletecollection"] }]),
        managedObject,
      );
      assert.equal(await clusterRoleWith([{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }]), "");
    });

    it("before roles that change what guards a member", async () => {
      const managedObject = /but nothing that guards them/;
      for (const [group, resource, verb] of [
        // Pod Security is a label of the namespace.
        ["", "namespaces", "patch"],
        ["", "resourcequotas", "delete"],
        ["", "serviceaccounts/token", "create"],
        ["", "endpoints", "update"],
        ["networking.k8s.io", "networkpolicies", "delete"],
        ["networking.k8s.io", "ingresses", "create"],
        [rbac, "roles", "escalate"],
        ["", "users", "impersonate"],
        ["", "*", "create"],
        ["*", "pods", "create"],
        ["", "limitranges", "*"],
      ] as const) {
        const rule = { apiGroups: [group], resources: [resource], verbs: ["get", verb] };
        assert.match(await role("kubecamp-view", "ned", rule), managedObject, `${verb} ${resource}`);
      }
    });

    it("before jobs that are not a single repository's, and before tokens of others, where members have CI jobs", async () => {
      const file = join(watchFolder, "optional/pipelines.yaml");
      await stack.kubectl("apply", "-f", file);
      const more = { memberTypes, ci: { audience: "https://k8s.example.org" } };
      // As an admin does once, who writes the policy of tokens.
      await stack.configure([ned, uma, old], more);
      await stack.upFine();
      const asWatchDoes = async (members: readonly Entry[]) => {
        await stack.configure(members, more);
        const run = await stack.run(["up", "--yes", "--skip-preview"], { KUBECONFIG: kubeconfig });
        assert.equal(run.exitCode, 0, run.output);
        return run.steps;
      };
      const jobs = [{ issuer: "github", repository: "ned/site", ref: "refs/heads/main" }, { token: true }];
      const parts = [
        "core/v1:ServiceAccount ned/ci-account",
        `${rbac}/v1:Role ned/ci-token-role`,
        `${rbac}/v1:RoleBinding ned/ci-token`,
        `${rbac}/v1:RoleBinding ned/ci`,
      ];
      const made = await asWatchDoes([{ ...ned, ci: jobs }, uma, old]);
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
      assert.match(await binding("ned", account), /may bind people and their groups, no ServiceAccount/);
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

      const gone = await asWatchDoes([ned, uma, old]);
      for (const part of parts) {
        assert.ok(gone.includes(`delete kubernetes:${part}`), gone.join("\n"));
      }
      await stack.kubectl("delete", "-f", file);
    });

    it("beside the ingress controller, before all but members' routes", async () => {
      const others = /may not touch (services|ingresses) \S+ in namespace ingress-nginx, /;
      const metadata = { name: "controller", namespace: "ingress-nginx" };
      const spec = { selector: { app: "controller" }, ports: [{ port: 80 }] };
      await stack.sandbox.create({ apiVersion: "v1", kind: "Service", metadata, spec });
      await refused(others, "delete", "service", "controller", "-n", "ingress-nginx", "--dry-run=server");
      assert.match(await twin("controller", { selector: { app: "ned" } }), others);
      await stack.delete("service", "controller", "ingress-nginx");
      const own = { type: "ExternalName", externalName: "ned-svc.ned.svc.cluster.local." };
      const elsewhere = /lead to a member's own Service alone/;
      assert.equal(await twin("ned-svc", own), "");
      assert.match(await twin("ned-svc", { ...own, externalName: "kubernetes.default.svc.cluster.local." }), elsewhere);
      assert.match(await twin("uma-svc", own), elsewhere);
      assert.match(await twin("ned-svc", { selector: { app: "ned" }, ports: [{ port: 80 }] }), elsewhere);
      assert.equal(await path(labels, {}), "");
      assert.match(await path({}, {}), others);
      assert.match(await path(labels, {}, "uma-svc"), /have an Ingress lead to a member's Service alone/);
      const snippet = { "nginx.ingress.kubernetes.io/configuration-snippet": "return 200;" };
      assert.match(await path(labels, snippet), /no configuration of the ingress controller's own/);
      const asks = { "nginx.ingress.kubernetes.io/auth-url": "https://elsewhere.example.org/oauth2/auth" };
      assert.match(await path(labels, asks), /ask the stack's own login alone/);
    });
  });

  describe("go with manifests", () => {
    it("that the API server takes whole, in namespaces as strict as theirs", async () => {
      await stack.sandbox.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "traefik" } });
      const { exitCode, stderr } = await stack.sandbox.kubectl([
        "apply",
        "--dry-run=server",
        "--validate=strict",
        "-R",
        "-f",
        watchFolder,
      ]);
      await stack.sandbox.remove("/api/v1/namespaces/traefik");
      assert.equal(exitCode, 0, stderr);
      // A Deployment whose pods would be refused is taken, with a warning.
      assert.equal(stderr, "");
    });

    it("whose pod is admitted, as a Deployment's controller would make it", async () => {
      const { metadata, ...template } = podTemplate();
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...metadata, name: "watch", namespace: "kubecamp-system" },
        ...template,
      };
      const admitted = await stack.sandbox.kubectl(["create", "--dry-run=server", "-f", "-"], {
        input: JSON.stringify(pod),
      });
      assert.equal(admitted.exitCode, 0, admitted.stderr);
      // The namespace does refuse what is less strict.
      const root = { ...pod, spec: { ...pod.spec, securityContext: {} } };
      const refused = await stack.sandbox.kubectl(["create", "--dry-run=server", "-f", "-"], {
        input: JSON.stringify(root),
      });
      assert.match(refused.stderr, /violates PodSecurity "restricted:v1.36"/);
    });
  });
});
