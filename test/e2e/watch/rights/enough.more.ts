import assert from "node:assert/strict";
import type { V1ConfigMap, V1Lease, V1LimitRange } from "@kubernetes/client-node";
import { admissionPolicies, admissionPolicyName } from "../../../../config/names/names.ts";
import { shownToOthers } from "../../../../objects/rbac/clusterRole.ts";
import {
  grants,
  manifests,
  podTemplate,
  rightsOf,
  textOf,
  unneeded,
  watchFolder,
} from "../../../unit/deploy/manifests.ts";
import type { Entry } from "../../program/stack.ts";
import { deploy, makeNamespace, makeService, until } from "../../program/workloads.ts";
import { FrontDoor } from "../frontDoor.ts";
import { RunningWatch } from "../runningWatch.ts";
import { identity, images, memberTypes, ned, rbac, stackSettings, uma, useWatchStack } from "./watchStack.ts";

const lease = "kubecamp-system/kubecamp-watch";

/** Rights that a request of this test needs or not, by who is first and which plugin it is. */
const races: readonly string[] = [
  // Kubernetes makes one in every new namespace; a run that comes before it makes it.
  "create serviceaccounts default",
  // The official plugin lists when it refreshes, and where an API server doesn't begin a watch with what is there:
  // https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists
  "list events",
  // Of starter pages and buckets, which this stack has not: only the last verification's result is read here, by its name.
  "list configmaps",
  "watch configmaps",
];

const route = { host: "camp.test", readiness: { requires: "endpoints" } };
const pia: Entry = { member: "pia", type: "guest-user" };
/** Was there before, with an owner that is to go. */
const old: Entry = { member: "old", type: "user", adopt: true };

describe("the rights of kubecamp watch", () => {
  // Before the stack goes: the watch would bring it up again.
  after(async () => {
    await watch?.end("SIGKILL");
    await door.close();
  });
  const { stack, signIn, upOf, loosened, failurePolicy } = useWatchStack();
  let door: FrontDoor;
  let kubeconfig: string;
  const rights = rightsOf(manifests("rbac.yaml"));
  let watch: RunningWatch | undefined;
  const events = (namespace: string, reason: string) =>
    stack.sandbox.names("event", { namespace, fieldSelector: `reason=${reason}` });
  const holder = async () =>
    (await stack.sandbox.get<V1Lease>("lease", "kubecamp-watch", "kubecamp-system")).spec?.holderIdentity;

  before(async () => {
    door = new FrontDoor(stack.sandbox, identity);
    await door.open(stack.folder);
    kubeconfig = await signIn(door.url);
    await filled();
    // As an admin does once, whose part the admission policies stay.
    await stack.configure([], { memberTypes });
    await stack.upFine();
    await stack.delete("clusterrole", "kubecamp:prod:view");
    await stack.delete("clusterrole", "kubecamp:prod:view-guest");
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
      const { steps } = await upOf([ned, uma, pia, old], "--refresh");
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

    it("may close a route, change quota and roles, and suspend; policies are an admin's", async () => {
      await deploy(stack, "uma", 1);
      await stack.delete("service", "old-svc", "old");
      await loosened();
      const { output, steps } = await upOf([
        { ...ned, type: "reader" },
        { ...uma, suspended: true },
        { ...pia, maxCPUm: 400 },
        old,
      ]);
      for (const step of [
        "delete kubernetes:networking.k8s.io/v1:Ingress old/route/ingress",
        `delete kubernetes:${rbac}/v1:Role ned/role/edit`,
        "create kubernetes:core/v1:ResourceQuota uma/quota",
        "update kubernetes:core/v1:ResourceQuota pia/quota",
      ]) {
        assert.ok(steps.includes(step), step);
      }
      assert.deepEqual(await stack.sandbox.names("pod", { namespace: "uma" }), []);
      assert.match(
        output,
        /this identity may not write\. They stay(.*\n)* +ValidatingAdmissionPolicy kubecamp-images-prod\n/,
      );
      assert.deepEqual(
        steps.filter((step) => step.includes("ValidatingAdmissionPolicy")),
        [],
      );
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
    const granted = () =>
      rightsOf([{ apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: "" }, rules: shownToOthers }]);

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

    it("asks beyond the watch's rights to grant any right in the cluster, and to write policies", () => {
      const beyond = door.asked.filter((asked) => !grants(rights, asked)).map(textOf);
      const policies = admissionPolicies.flatMap((policy) =>
        ["validatingadmissionpolicies", "validatingadmissionpolicybindings"].map(
          (kind) => `patch ${kind}.admissionregistration.k8s.io ${admissionPolicyName(policy, stackSettings)}`,
        ),
      );
      // Everybody may ask that about themselves.
      const asking = "create selfsubjectaccessreviews.authorization.k8s.io";
      const others = [...new Set(beyond)].filter((text) => ![asking, ...policies].includes(text));
      assert.deepEqual(others.sort(), [
        `bind clusterroles.${rbac} kubecamp:prod:view`,
        `bind clusterroles.${rbac} kubecamp:prod:view-guest`,
        `escalate clusterroles.${rbac} kubecamp:prod:view`,
        `escalate clusterroles.${rbac} kubecamp:prod:view-guest`,
      ]);
    });
  });

  describe("go with manifests", () => {
    it("that the API server takes whole, in namespaces as strict as theirs", async () => {
      await makeNamespace(stack, "traefik");
      const { exitCode, stderr } = await stack.sandbox.kubectl([
        "apply",
        // As they were applied before: else kubectl warns that it did not do that.
        "--server-side",
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
      const headers = { "content-type": "application/json" };
      const made = (object: object) => {
        const body = JSON.stringify(object);
        return stack.sandbox.ask("POST", "/api/v1/namespaces/kubecamp-system/pods?dryRun=All", { headers, body });
      };
      const admitted = await made(pod);
      assert.equal(admitted.code, 201, admitted.body);
      // The namespace does refuse what is less strict.
      const root = { ...pod, spec: { ...pod.spec, securityContext: {} } };
      const refused = await made(root);
      assert.equal(refused.code, 403);
      assert.match(JSON.parse(refused.body).message, /violates PodSecurity "restricted:v1.36"/);
    });
  });
});
