import assert from "node:assert/strict";
import { join } from "node:path";
import { clusterRole } from "../../../components/objects/clusterRole.ts";
import type { Settings } from "../../../config/settings.ts";
import { manifests, podTemplate, watchFolder } from "../../unit/deploy/manifests.ts";
import { grants, type Rule, rightsIn, rightsOf, textOf, unneeded } from "../../unit/deploy/rights.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { apply, deploy, until } from "../program/workloads.ts";
import { FrontDoor } from "./frontDoor.ts";
import { RunningWatch } from "./runningWatch.ts";

const identity = "system:serviceaccount:kubecamp-system:kubecamp-watch";
const files = ["namespace.yaml", "rbac.yaml", "fence.yaml"];
const rbac = "rbac.authorization.k8s.io";

/**
 * Rights that no request of this test needs, and why they are there all the same. Names of files are those of
 * https://github.com/pulumi/pulumi-kubernetes, whose plugin the tests' stand-in stands for.
 */
const reasons: Readonly<Record<string, readonly string[]>> = {
  "provider/pkg/await/service.go, Await: a Service is awaited with informers on Services and Endpoints": [
    "list endpoints in ingress-nginx",
    "watch endpoints in ingress-nginx",
  ],
  "provider/pkg/await/watchers.go, NewEventAggregator: what is told of an object is shown while it is awaited": [
    "list events",
    "watch events",
  ],
};

const memberTypes = { reader: { home: "view", others: "view-guest", quota: false } };
const route = { host: "camp.test", readiness: { requires: "endpoints" } };
const ned: Entry = { member: "ned", type: "user" };
const uma: Entry = { member: "uma", type: "admin" };
const pia: Entry = { member: "pia", type: "guest-user" };
/** Was there before, with an owner that is to go. */
const old: Entry = { member: "old", type: "user", adopt: true };

describe("the rights of kubecamp watch", function () {
  this.timeout(180_000);
  const stack = useStack("prod");
  let door: FrontDoor;
  let kubeconfig: string;
  const rights = rightsOf(manifests("rbac.yaml"));
  let watch: RunningWatch | undefined;
  /** As deploy/ has the watch run: with its own rights, behind the fence. */
  const up = async (members: readonly Entry[]) => {
    await stack.configure(members, { memberTypes });
    const run = await stack.run(["up", "--yes", "--skip-preview"], { KUBECONFIG: kubeconfig });
    assert.equal(run.exitCode, 0, run.output);
    return run.steps;
  };
  const names = (...args: string[]) => stack.kubectl("get", ...args, "-o", "name");
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
  });
  after(async () => {
    await watch?.end("SIGKILL");
    await door.close();
    for (const file of [...files].reverse()) {
      await stack.kubectl("delete", "--ignore-not-found", "-f", join(watchFolder, file));
    }
  });

  /** What somebody made before kubecamp. */
  async function filled(): Promise<void> {
    await stack.kubectl("create", "namespace", "old");
    await stack.kubectl("create", "configmap", "owner", "-n", "old");
    const uid = await stack.kubectl("get", "configmap", "owner", "-n", "old", "-o", "jsonpath={.metadata.uid}");
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
    const metadata = { name: "default-limits", namespace: "old", ownerReferences };
    await apply(stack, { apiVersion: "v1", kind: "LimitRange", metadata, spec: { limits: [] } });
    await stack.kubectl("create", "service", "clusterip", "old-svc", "--tcp=80:8080", "-n", "old");
  }

  describe("are enough", () => {
    it("to make members, to take over what is there, and to open a route", async () => {
      const steps = await up([ned, uma, pia, old]);
      for (const step of [
        "create kubernetes:core/v1:Namespace ned/namespace",
        "create kubernetes:core/v1:Service old/route/service",
        "create kubernetes:networking.k8s.io/v1:Ingress old/route/ingress",
      ]) {
        assert.ok(steps.includes(step), step);
      }
      const owners = await stack.kubectl("get", "limitrange", "-n", "old", "-o", "jsonpath={..ownerReferences}");
      assert.equal(owners, "");
    });

    it("to close it, to change quota and roles, and to suspend with running pods", async () => {
      await deploy(stack, "uma", 1);
      await stack.kubectl("delete", "service", "old-svc", "-n", "old");
      const steps = await up([{ ...ned, type: "reader" }, { ...uma, suspended: true }, { ...pia, maxCPUm: 400 }, old]);
      for (const step of [
        "delete kubernetes:networking.k8s.io/v1:Ingress old/route/ingress",
        `delete kubernetes:${rbac}/v1:Role ned/role/edit`,
        "create kubernetes:core/v1:ResourceQuota uma/quota",
        "update kubernetes:core/v1:ResourceQuota pia/quota",
      ]) {
        assert.ok(steps.includes(step), step);
      }
      assert.equal(await names("pods", "-n", "uma"), "");
    });

    it("for kubecamp watch to put back what is gone, to let back in, and to remove with everything", async () => {
      await stack.kubectl("delete", "networkpolicy", "isolation", "-n", "old");
      await stack.configure([ned, uma, old], { memberTypes, route });
      await stack.makeProject();
      watch = await RunningWatch.start(stack, { KUBECONFIG: kubeconfig });
      await watch.ready();
      await until(async () => (await names("namespace", "--selector=kubecamp.dev/member=pia")) === "");
      assert.equal(await names("resourcequota", "-n", "uma"), "");
      assert.equal(await names("networkpolicy", "-n", "old"), "networkpolicy.networking.k8s.io/isolation");
    });

    it("for it to open a route once there is a pod behind the Service, to say so, and to end", async () => {
      await deploy(stack, "old", 1);
      await apply(stack, {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "old-svc", namespace: "old" },
        spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
      });
      await watch?.told("route opened", { member: "old" });
      await until(async () => (await names("ingress", "-n", "ingress-nginx")) === "ingress.networking.k8s.io/old");
      assert.equal(await watch?.end("SIGTERM"), 0, watch?.output);
      assert.notEqual(await names("events", "-n", "old", "--field-selector=reason=RouteOpened"), "");
      assert.doesNotMatch(watch?.output ?? "", /forbidden/i);
    });
  });

  describe("are no more than that", () => {
    /** What a member's view grants, the API server has whoever writes it hold: nobody is asked about that. */
    const granted = () => {
      const settings = { stack: stack.name, route: { kind: "ingress" } } as Settings;
      return rightsIn(clusterRole("view", settings).rules);
    };

    it("each is one without which a request would have been refused, or has a reason here", () => {
      const excused = new Set([...Object.values(reasons).flat(), ...granted().map(textOf)]);
      const left = unneeded(rights, door.asked).map(textOf);
      assert.deepEqual(
        left.filter((text) => !excused.has(text)),
        [],
      );
      // A reason for what is needed, or not there, is out of date.
      const known = new Set(left);
      assert.deepEqual(
        Object.values(reasons)
          .flat()
          .filter((text) => !known.has(text)),
        [],
      );
    });

    it("what was asked beyond them is only whether it may grant any right in the whole cluster, which it may not", () => {
      const beyond = door.asked.filter((asked) => !grants(rights, asked)).map(textOf);
      assert.deepEqual([...new Set(beyond)].sort(), [
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
    const role = (name: string, namespace: string, rule: Rule) =>
      written({ apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name, namespace }, rules: [rule] });
    const binding = (namespace: string, subject: object) =>
      written({
        apiVersion: `${rbac}/v1`,
        kind: "RoleBinding",
        metadata: { name: "kubecamp-view", namespace },
        roleRef: { apiGroup: rbac, kind: "Role", name: "kubecamp-view" },
        subjects: [subject],
      });
    /** As the watch writes; nothing comes of it. */
    const written = async (object: object) => {
      const flags = ["--server-side", "--dry-run=server", "--as", identity, "-f", "-"];
      return (await stack.sandbox.kubectl(["apply", ...flags], { input: JSON.stringify(object) })).stderr;
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

    it("where a namespace is nobody's home", async () => {
      for (const namespace of ["kube-system", "default", "ingress-nginx", "kubecamp-system"]) {
        const words = new RegExp(`kubecamp watch may change nothing in namespace ${namespace}`);
        assert.match(await role("kubecamp-view", namespace, secrets), words);
        assert.match(await binding(namespace, somebody), words);
        await refused(words, "label", "namespace", namespace, "a=b", "--dry-run=server");
        // Some the API server itself lets nobody delete.
        const immortal = new RegExp(`${words.source}|this namespace may not be deleted`);
        await refused(immortal, "delete", "namespace", namespace, "--dry-run=server");
      }
      // Each pod of a collection is judged by itself.
      await stack.kubectl("run", "idle", "--image=idle", "-n", "default");
      await refused(/may change nothing in namespace default/, "delete", "--raw", "/api/v1/namespaces/default/pods");
      await stack.kubectl("delete", "pod", "idle", "-n", "default", "--now");
    });

    it("where it would be about itself, any right at all, or another's binding", async () => {
      const [, , , name = ""] = identity.split(":");
      const self = /may bind people and their groups, no ServiceAccount/;
      assert.match(await binding("ned", { kind: "ServiceAccount", name, namespace: "kubecamp-system" }), self);
      assert.match(await binding("ned", { kind: "User", name: identity, apiGroup: rbac }), self);
      assert.match(await binding("ned", { kind: "Group", name: "system:authenticated", apiGroup: rbac }), self);
      const wide = /may write no role with wildcards, or with bind, escalate or impersonate/;
      assert.match(await role("kubecamp-view", "ned", { ...secrets, resources: ["*"] }), wide);
      assert.match(await role("kubecamp-view", "ned", { ...secrets, verbs: ["impersonate"] }), wide);
      await refused(
        /may not touch ClusterRoleBinding cluster-admin/,
        ...["delete", "clusterrolebinding", "cluster-admin", "--dry-run=server"],
      );
    });
  });

  describe("go with manifests", () => {
    it("that the API server takes whole, in namespaces as strict as theirs", async () => {
      await stack.kubectl("create", "namespace", "traefik");
      const { exitCode, stderr } = await stack.sandbox.kubectl([
        "apply",
        "--dry-run=server",
        "--validate=strict",
        "-R",
        "-f",
        watchFolder,
      ]);
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
