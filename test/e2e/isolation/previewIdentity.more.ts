import assert from "node:assert/strict";
import { join } from "node:path";
import type { PolicyRule } from "../../../watch/manifests/roles.ts";
import { grants, manifestsIn, previewFolder, rightsOf, textOf, unneeded } from "../../unit/deploy/manifests.ts";
import { checkout } from "../program/checkout.ts";
import { refusalOf } from "../program/inProcess.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { linesBelow } from "../program/linesBelow.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { touchedBy } from "../program/touched.ts";
import { until } from "../program/workloads.ts";
import { apiClient } from "../support/cluster/apiClient.ts";
import { applyFiles, deleteFiles } from "../support/manifestFiles.ts";
import { type Caller, callerWith } from "../support/signIn/signedIn.ts";
import { FrontDoor } from "../watch/frontDoor.ts";
import { allowed, discovered, nameOf, rulesIn } from "./access/authorizer.ts";

const identity = "system:serviceaccount:kubecamp-system:kubecamp-preview";
const rbac = "rbac.yaml";
const service = (name: string) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: `${name}-svc`, namespace: name },
  spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
});

/** A namespace from before kubecamp, with a Service. */
const ned: Entry = { member: "ned", type: "user", adopt: true };
const uma: Entry = { member: "uma", type: "user" };
/** A member whose route needs one more kind to be read. */
const pia: Entry = { member: "pia", type: "guest-user", route: { readiness: { requires: "endpoints" } } };

describe("the identity for previews", () => {
  const stack = useStack("identity");
  const role = manifestsIn(previewFolder, rbac).find(({ kind }) => kind === "ClusterRole");
  let door: FrontDoor;
  let caller: Caller;
  let kubeconfig: string;
  let folder: string;

  before(async () => {
    await applyFiles(stack.sandbox, join(previewFolder, rbac));
    const token = await stack.sandbox.token("kubecamp-preview", "kubecamp-system");
    caller = callerWith(stack.sandbox, token);
    door = new FrontDoor(stack.sandbox, identity);
    await door.open(stack.folder);
    kubeconfig = await otherKubeconfig(stack, { server: door.url, token });

    await stack.sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "ned" } }, service("ned"));
    await stack.configure([ned, uma, pia]);
    await stack.upFine();
    folder = await checkout(stack.folder);
  });
  after(async () => {
    await door.close();
    await deleteFiles(stack.sandbox, join(previewFolder, rbac));
  });

  /** Runs as the pipeline's identity. */
  const asPipeline = (...args: string[]) => stack.run(args, { KUBECONFIG: kubeconfig });
  /** The same in the pipeline's own checkout: all in it is elsewhere than the admin's. The program is loaded anew each time. */
  const inCheckout = (...args: string[]) => stack.run(args, { KUBECONFIG: kubeconfig }, folder);

  /** An admin adds, removes and changes members, while a member makes their Service. */
  async function change(): Promise<void> {
    await stack.sandbox.apply(service("uma"));
    await stack.configure([{ ...ned, maxCPUm: 700 }, uma, { member: "zoe", type: "user" }]);
  }

  it("previews no change with a refresh in another checkout, where nothing has changed", async () => {
    const { exitCode, output, steps } = await inCheckout("preview", "--refresh");
    assert.equal(exitCode, 0, output);
    assert.deepEqual(steps, []);
    assert.deepEqual(unchecked(output), ["admission"]);
  });

  it("previews an admin's changes, writes nothing, and says what was not checked", async () => {
    await change();
    const admins = await stack.preview();
    let own = admins;
    const touched = await touchedBy(stack, async () => {
      own = await inCheckout("preview");
    });
    assert.equal(own.exitCode, 0, own.output);
    assert.deepEqual([...own.steps].sort(), [...admins.steps].sort());
    // Without a refresh, all else is as it was, too.
    const expected =
      /^(create \S+ zoe(\/\S+)?|create \S+ uma\/route\/\S+|delete \S+ pia(\/\S+)?|update \S+ ned\/quota)$/;
    assert.deepEqual(
      own.steps.filter((step) => !expected.test(step)),
      [],
    );
    for (const step of [
      "create kubernetes:core/v1:Namespace zoe/namespace",
      "create kubernetes:networking.k8s.io/v1:Ingress uma/route/ingress",
      "delete kubernetes:core/v1:Namespace pia/namespace",
      "update kubernetes:core/v1:ResourceQuota ned/quota",
    ]) {
      assert.ok(own.steps.includes(step), step);
    }
    assert.deepEqual(linesBelow(leaving, own.output), linesBelow(leaving, admins.output));
    assert.equal(linesBelow(leaving, own.output).length, 1);
    assert.deepEqual(unchecked(admins.output), []);
    assert.deepEqual(unchecked(own.output), ["admission"]);
    assert.deepEqual(touched, []);
  });

  it("refuses an up in the API server's words, and leaves all objects in Pulumi's state", async () => {
    await change();
    const objects = async () => (await stack.urns()).filter((urn) => urn.includes("$kubernetes:")).sort();
    const before = await objects();
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output } = await asPipeline("up", "--yes", "--skip-preview");
      assert.notEqual(exitCode, 0);
      assert.match(output, /is forbidden: User "system:serviceaccount:kubecamp-system:kubecamp-preview" cannot patch/);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual(await objects(), before);
  });

  it("says what a preview did not check for lack of a right, and names the right in an up", async () => {
    await withRules(without("services", "pods", "rolebindings"), async () => {
      const { exitCode, output, steps } = await asPipeline("preview");
      assert.equal(exitCode, 0, output);
      assert.deepEqual(unchecked(output), ["Pods", "RoleBindings", "Services", "admission"]);
      const refusal = `services is forbidden: User "${identity}" cannot list resource "services" in API group ""`;
      assert.ok(output.includes(refusal), output);
      // The preview neither opens uma's path nor closes ned's.
      assert.deepEqual(
        steps.filter((step) => step.includes("/route/")),
        [],
      );
      assert.match(linesBelow(leaving, output)[0] ?? "", /pia: .*an unknown number of unfinished pods/);
      assert.deepEqual(
        steps.filter((step) => / (ned|uma)\//.test(step)),
        ["update kubernetes:core/v1:ResourceQuota ned/quota"],
      );
      const refusalOfUp = await refusalOf(stack, false, { env: { KUBECONFIG: kubeconfig } });
      assert.match(refusalOfUp, /Can't read the (Services|RoleBindings) .* is forbidden: User/);
      assert.match(refusalOfUp, /Nothing was changed/);
    });
  });

  it("grants a preview the rights that it uses, and refuses none but those to write", () => {
    const rights = rightsOf(role === undefined ? [] : [role]);
    assert.deepEqual(unneeded(rights, door.asked).map(textOf), []);
    const beyond = door.asked.filter((asked) => !grants(rights, asked));
    const writes = ["create", "patch"];
    assert.deepEqual(beyond.filter(({ verb }) => !writes.includes(verb)).map(textOf), []);
  });

  it("lets the identity for previews write nothing, and read no Secrets, logs or containers", async () => {
    const resources = await discovered(stack.sandbox.read);
    const writing = ["create", "update", "patch", "delete", "deletecollection"];
    const verbs = [...writing, "bind", "escalate", "impersonate", "watch"];
    const questions = resources.flatMap((resource) => verbs.map((verb) => ({ resource, verb })));
    // Everybody may review their own rights, which stores nothing. From 1.37 on, ServiceAccounts read CAs' certificates.
    const everybodys =
      /^(create self.*reviews\.(authentication|authorization)|watch clustertrustbundles\.certificates)\.k8s\.io$/;
    const yes = (await allowed(caller, questions)).map(({ resource, verb }) => `${verb} ${nameOf(resource)}`);
    assert.deepEqual(
      yes.filter((each) => !everybodys.test(each)),
      [],
    );
    assert.equal(yes.filter((each) => each.startsWith("create ")).length, 3);
    const rules = await rulesIn(caller, "ingress-nginx");
    const written = rules.filter(({ verbs: each }) => each.some((verb) => !["get", "list", "watch"].includes(verb)));
    assert.deepEqual([...new Set(written.flatMap((rule) => rule.apiGroups))].sort(), [
      "authentication.k8s.io",
      "authorization.k8s.io",
    ]);
    const secretive = rules.flatMap(({ resources: each = [], resourceNames = [] }) =>
      resourceNames.length > 0 ? [] : each,
    );
    assert.deepEqual(
      secretive.filter(
        (each) => each === "*" || each === "secrets" || each === "configmaps" || each.startsWith("pods/"),
      ),
      [],
    );
  });

  function without(...resources: readonly string[]): PolicyRule[] {
    return ((role?.rules ?? []) as PolicyRule[]).map((rule) => ({
      ...rule,
      resources: rule.resources.filter((resource) => !resources.includes(resource)),
    }));
  }

  /** Runs an action while the role has other rules. */
  async function withRules(rules: readonly PolicyRule[], action: () => Promise<void>): Promise<void> {
    const { ask } = apiClient(kubeconfig);
    const mayList = async () => (await ask("GET", "/api/v1/services?limit=1")).code === 200;
    await stack.sandbox.apply({ ...role, rules: rules.filter((rule) => rule.resources.length > 0) });
    await until(async () => !(await mayList()));
    try {
      await action();
    } finally {
      await stack.sandbox.apply({ ...role });
      await until(mayList);
    }
  }
});

const leaving = "No longer in the list. ";
/** Checks that a preview reported as left out. */
const unchecked = (output: string) => linesBelow("Not checked, ", output).map((line) => line.split(":")[0] ?? "");
