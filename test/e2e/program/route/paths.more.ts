import assert from "node:assert/strict";
import type { V1Ingress, V1Service } from "@kubernetes/client-node";
import { PathWebhook } from "../../support/cluster/pathWebhook.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { hasNamespace, makeNamespace, served, until } from "../workloads.ts";

const user = (member: string, more: object = {}): Entry => ({ member, type: "user", ...more });
const at = (path: string) => ({ route: { path } });

describe("paths under ingress-nginx's rule that no two are the same", () => {
  const stack = useStack("paths");
  const webhook = new PathWebhook(stack);
  /** Names, classes and paths of the Ingresses in a namespace, as `ann nginx /ann`. */
  const paths = async (namespace = "ingress-nginx") =>
    (await stack.sandbox.list<V1Ingress>("ingress", { namespace })).map(
      ({ metadata, spec }) => `${metadata?.name} ${spec?.ingressClassName} ${spec?.rules?.[0]?.http?.paths[0]?.path}`,
    );
  const statuses = async () =>
    ((await stack.outputs()) as { members: Record<string, { state: string; reason?: string }> }).members;
  /** Keeps a namespace terminating once it is deleted. */
  const hold = (namespace: string) =>
    stack.sandbox.apply({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "hold", namespace, finalizers: ["camp.test/hold"] },
    });
  const release = (namespace: string) =>
    stack.sandbox.patch("configmap", "hold", namespace, { metadata: { finalizers: null } });
  /** Deletes a held namespace, and waits until everything else in it is gone. */
  const end = async (namespace: string) => {
    await stack.sandbox.remove(`/api/v1/namespaces/${namespace}`);
    for (const [kind, name] of [
      ["limitrange", "default-limits"],
      ["networkpolicy", "isolation"],
      ["resourcequota", "quota"],
      ["role", "kubecamp-edit"],
      ["rolebinding", "kubecamp-edit"],
      ["serviceaccount", "default"],
    ] as const) {
      await until(async () => (await stack.sandbox.find(kind, name, namespace)) === undefined);
    }
  };
  const grafana = user("grafana", { route: false });
  const swapped = [user("ann", at("/ben")), user("ben", at("/ann")), user("dan", at("/cay"))];
  const elsewhere = { route: { host: "camp.test", namespace: "ingress2" }, cluster: { domain: "camp.internal" } };

  const initial = ["ann nginx /ann", "ben nginx /ben", "cay nginx /cay", "fay nginx /fay", "grafana nginx /jim"];
  let first: Run;

  before(async () => {
    await webhook.start();
    for (const name of ["ann", "ben", "cay", "dan", "fay", "jim"]) {
      await served(stack, name);
    }
    await hold("fay");
    await hold("jim");
    const own = ["ingress", "grafana", "-n", "ingress-nginx", "--class=nginx", "--rule=camp.test/jim=web:80"];
    await stack.kubectl("create", ...own);
    await stack.configure([...["ann", "ben", "cay", "fay", "jim"].map((name) => user(name)), grafana]);
    first = await stack.upFine();
  });
  after(async () => {
    // These fail for nothing, and the stack would wait for the namespaces without end.
    await release("fay").catch(() => undefined);
    await release("jim").catch(() => undefined);
    await webhook.stop();
    await stack.delete("ingress", "grafana", "ingress-nginx");
    await stack.sandbox.remove("/api/v1/namespaces/ingress2");
  });

  it("leaves a stranger's Ingress alone that has a member's name and another's path", async () => {
    assert.deepEqual(await paths(), initial);
    assert.match(
      first.output,
      /jim: https:\/\/camp\.test\/jim\/ is the address of Ingress 'ingress-nginx\/grafana' already, and the older of two/,
    );
    assert.deepEqual(webhook.refused, []);
  });

  it("keeps a path with its member where the run fails before somebody else gets it", async () => {
    await stack.configure([user("ann"), user("ben"), user("dan", at("/cay")), user("fay"), user("jim"), grafana]);
    webhook.onRoute = async () => false;
    const { exitCode, output } = await stack.up("--continue-on-error");
    webhook.onRoute = async () => undefined;
    assert.notEqual(exitCode, 0);
    assert.match(output, /not now/);
    assert.deepEqual(await paths(), initial);
  });

  it("passes paths on in one up, also those of who leaves, as a preview shows", async () => {
    await stack.configure([...swapped, user("fay"), user("jim"), grafana]);
    let preview: Run | undefined;
    assert.deepEqual(
      await touchedBy(stack, async () => {
        preview = await stack.preview();
      }),
      [],
    );
    assert.equal(preview?.exitCode, 0, preview?.output);
    for (const step of [
      "update kubernetes:networking.k8s.io/v1:Ingress ann/route/ingress",
      "create kubernetes:networking.k8s.io/v1:Ingress dan/route/ingress",
    ]) {
      assert.ok(preview?.steps.includes(step), preview?.output);
    }
    await stack.upFine();
    assert.deepEqual(await paths(), [
      "ann nginx /ben",
      "ben nginx /ann",
      "dan nginx /cay",
      "fay nginx /fay",
      "grafana nginx /jim",
    ]);
    assert.deepEqual(webhook.refused, []);
  });

  it("closes the path of a namespace that is being deleted, and goes on for all others", async () => {
    await end("fay");
    const more = user("ann", { ...at("/ben"), maxCPUm: 3000 });
    await stack.configure([more, ...swapped.slice(1), user("fay"), user("jim"), grafana]);
    // Of who has changed hands, nothing is left to do.
    assert.deepEqual([...(await stack.upFine()).steps].sort(), [
      ...["LimitRange fay/limits", "ResourceQuota fay/quota", "Service fay/route/service"].map(
        (gone) => `delete kubernetes:core/v1:${gone}`,
      ),
      "delete kubernetes:core/v1:ServiceAccount fay/service-account",
      "delete kubernetes:networking.k8s.io/v1:Ingress fay/route/ingress",
      "delete kubernetes:networking.k8s.io/v1:NetworkPolicy fay/isolation",
      "delete kubernetes:rbac.authorization.k8s.io/v1:Role fay/role/edit",
      "delete kubernetes:rbac.authorization.k8s.io/v1:RoleBinding fay/binding/edit",
      "update kubernetes:core/v1:ResourceQuota ann/quota",
    ]);
    const reason = "namespace 'fay' is being deleted";
    const { fay } = await statuses();
    assert.deepEqual([fay?.state, fay?.reason], ["pending", reason]);
    // The refresh drops what is gone from the state, and the run recreates nothing in a terminating namespace.
    await end("jim");
    await stack.configure([...swapped, user("fay"), user("jim"), grafana]);
    const { steps } = await stack.upFine("--refresh");
    assert.ok(steps.includes("update kubernetes:core/v1:ResourceQuota ann/quota"), steps.join("\n"));
    assert.ok(!steps.some((step) => step.startsWith("create")), steps.join("\n"));
    await release("fay");
    await release("jim");
    await until(async () => !(await hasNamespace(stack, "fay")) && !(await hasNamespace(stack, "jim")));
    // Pulumi's state still has their namespaces, but nothing that was in them, so that nothing can be made there.
    const less = user("ann", { ...at("/ben"), maxCPUm: 2500 });
    await stack.configure([less, ...swapped.slice(1), user("fay"), grafana]);
    const { steps: plain } = await stack.upFine();
    assert.deepEqual(
      plain.filter((step) => !step.includes(" jim")),
      ["update kubernetes:core/v1:ResourceQuota ann/quota"],
    );
    assert.match((await statuses()).fay?.reason ?? "", /^namespace 'fay' was deleted; 'pulumi up --refresh' makes it/);
  });

  it("moves paths to another namespace, each once it is gone from the first", async () => {
    await makeNamespace(stack, "ingress2");
    await stack.configure([...swapped, user("fay")], elsewhere);
    const { output } = await stack.upPreviewed("--refresh");
    assert.deepEqual(await paths("ingress2"), ["ann nginx /ben", "ben nginx /ann", "dan nginx /cay"]);
    assert.deepEqual(await paths(), ["grafana nginx /jim"]);
    assert.deepEqual(webhook.refused, []);
    assert.match(output, /cluster\.domain is 'camp\.internal', and the API server's certificate has 'cluster\.local'/);
    const { spec } = await stack.sandbox.get<V1Service>("service", "ann-svc", "ingress2");
    assert.equal(spec?.externalName, "ann-svc.ann.svc.camp.internal.");
  });

  it("opens no path to a Service that has gone since the run began, in whatever mode", async () => {
    await served(stack, "gus");
    await served(stack, "hal");
    const readiness = (mode: string) => ({ route: { readiness: { mode } } });
    const [gate, wait, managed] = [user("gus"), user("hal", readiness("wait")), user("ida", readiness("managed"))];
    await stack.configure([...swapped, user("fay"), gate, wait, managed], elsewhere);
    webhook.onRoute = (service) => stack.delete("service", service, service.replace(/-svc$/, ""));
    const { exitCode, output } = await stack.up("--continue-on-error");
    webhook.onRoute = async () => undefined;
    assert.notEqual(exitCode, 0);
    // The run before has made fay's namespace anew, and the next one makes its objects again, whoever fails.
    await stack.sandbox.get("resourcequota", "quota", "fay");
    for (const { member } of [gate, wait, managed]) {
      assert.match(
        output,
        new RegExp(`member '${member}': no Service '${member}-svc' in namespace '${member}', though it was there`),
      );
    }
    assert.deepEqual(await paths("ingress2"), ["ann nginx /ben", "ben nginx /ann", "dan nginx /cay"]);
    // The next run opens routes of Services that exist by then. hal is left out: the run would wait for that Service.
    await stack.configure([user("ann"), user("ben"), user("dan", at("/cay")), user("fay"), gate, managed], elsewhere);
    await stack.upFine();
    assert.deepEqual(await paths("ingress2"), ["ann nginx /ann", "ben nginx /ben", "dan nginx /cay", "ida nginx /ida"]);
  });

  it("leaves no path behind when all is destroyed right after paths were passed on", async () => {
    assert.match(JSON.stringify(await stack.resources()), /kubecamp\/handover/);
    const { exitCode, output } = await stack.run(["destroy", "--yes", "--skip-preview"]);
    assert.equal(exitCode, 0, output);
    assert.deepEqual(await paths("ingress2"), []);
  });
});
