import assert from "node:assert/strict";
import type { V1Ingress, V1NetworkPolicyPeer } from "@kubernetes/client-node";
import { installGatewayApi } from "../../support/definitions/gatewayApi.ts";
import { signedIn } from "../../support/signIn/signedIn.ts";
import { assertSays, warningsOf } from "../inProcess.ts";
import { type Entry, useStack } from "../stack.ts";
import { makeNamespace, makeService, served } from "../workloads.ts";

const dan: Entry = { member: "dan", type: "user", subject: "dan@example.org" };
/** An open path that nobody touches. */
const fay: Entry = { member: "fay", type: "user", subject: "fay@example.org" };
const all = [dan, fay];

const host = "camp.test";
const nginx = { controller: "ingress-nginx" };
const traefik = { controller: "traefik" };
const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
const snippet = "haproxy.org/backend-config-snippet";

const ingress = (operation: string, member: string, part: string) =>
  `${operation} kubernetes:networking.k8s.io/v1:Ingress ${member}/route/${part}`;
const service = (operation: string, member: string) =>
  `${operation} kubernetes:core/v1:Service ${member}/route/service`;
const httpRoute = (operation: string, member: string) =>
  `${operation} kubernetes:gateway.networking.k8s.io/v1:HTTPRoute ${member}/route/http`;
const ofBoth = (steps: (member: string) => readonly string[]) => all.flatMap(({ member }) => steps(member)).sort();

/** As the API server writes it. */
interface Isolation {
  readonly spec: { readonly ingress: readonly { readonly from: readonly V1NetworkPolicyPeer[] }[] };
}

describe("what serves members' paths", () => {
  const stack = useStack("servers");
  /** All that has fay's path, wherever it is. */
  const doors = async () => {
    const labelSelector = "kubecamp.dev/member=fay";
    const found = await stack.sandbox.list<V1Ingress>("ingress", { labelSelector });
    const routes = isGatewayKnown ? await stack.sandbox.names("httproute", { labelSelector }) : [];
    const classes = found.map(({ metadata, spec }) => `${metadata?.namespace} ${spec?.ingressClassName}`);
    return [...classes, ...routes.map((name) => `${name} HTTPRoute`)].sort();
  };
  /** The run's steps for routes, whatever their order among members. */
  const upTo = async (route: object) => {
    await stack.configure(all, { route: { host, ...route } });
    const { steps, output } = await stack.upFine();
    return { steps: steps.filter((step) => step.includes("/route/")), output };
  };
  const annotate = (value: string | null) =>
    stack.sandbox.patch("service", "dan-svc", "dan", { metadata: { annotations: { [snippet]: value } } });
  let isGatewayKnown = false;
  let forget = async () => undefined as unknown;

  before(async () => {
    for (const name of ["traefik", "haproxy-controller", "gateways", "shop"]) {
      await makeNamespace(stack, name);
    }
    await served(stack, "dan");
    await served(stack, "fay", { ports: [{ port: 80, targetPort: "web" }] });
  });
  after(async () => {
    for (const name of ["traefik", "haproxy-controller", "gateways", "shop"]) {
      await stack.sandbox.remove(`/api/v1/namespaces/${name}`);
    }
    await forget();
  });

  it("keeps a path pending that an Ingress in any namespace has, and everybody else's as it is", async () => {
    await stack.kubectl("create", "ingress", "site", "-n", "shop", "--class=nginx", `--rule=${host}/dan=web:80`);
    const { steps, output } = await upTo(nginx);
    assertSays(output, ["https://camp.test/dan/ is the address of Ingress 'shop/site' already"]);
    assert.deepEqual(steps.toSorted(), [ingress("create", "fay", "ingress"), service("create", "fay")].sort());
    await stack.delete("ingress", "site", "shop");
    assert.equal((await upTo(nginx)).steps.length, 2);
    assert.deepEqual(await doors(), ["ingress-nginx nginx"]);
  });

  it("has a second controller serve every path, in the member's namespace, and the first as before", async () => {
    const { steps } = await upTo({ ...nginx, also: { ...traefik, ingressPodLabels: { app: "traefik" } } });
    assert.deepEqual(
      steps.toSorted(),
      ofBoth((member) => [ingress("create", member, "traefik")]),
    );
    assert.deepEqual(await doors(), ["fay traefik", "ingress-nginx nginx"]);
    const { spec } = await stack.sandbox.get<V1Ingress>("ingress", "traefik", "fay");
    assert.deepEqual(spec?.rules?.[0]?.http?.paths[0]?.backend, { service: { name: "fay-svc", port: { number: 80 } } });
    const policy = await stack.sandbox.get<Isolation>("networkpolicy", "isolation", "fay");
    const peers = (policy.spec.ingress[0]?.from ?? []).map(({ namespaceSelector, podSelector }) => ({
      ...namespaceSelector?.matchLabels,
      ...podSelector?.matchLabels,
    }));
    const named = (name: string) => ({ "kubernetes.io/metadata.name": name });
    assert.deepEqual(peers, [{}, named("ingress-nginx"), { ...named("traefik"), app: "traefik" }]);
  });

  it("has one serve a path that somebody has at the other, and says so", async () => {
    const copied = { "kubecamp.dev/stack": "servers", "kubecamp.dev/member": "fay" };
    await stack.sandbox.create({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "site", namespace: "shop", labels: copied },
      spec: {
        ingressClassName: "traefik",
        rules: [
          {
            host,
            http: {
              paths: [
                { path: "/fay", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } },
              ],
            },
          },
        ],
      },
    });
    await stack.delete("ingress", "traefik", "fay");
    const { steps, output } = await upTo({ ...nginx, also: { ...traefik, ingressPodLabels: { app: "traefik" } } });
    assert.deepEqual(steps, [ingress("delete", "fay", "traefik")]);
    assertSays(output, [
      "only one of route and route.also serves",
      "fay: https://camp.test/fay/ is the address of Ingress 'shop/site'",
    ]);
    assert.deepEqual(await doors(), ["ingress-nginx nginx", "shop traefik"]);
    await stack.delete("ingress", "site", "shop");
    assert.deepEqual((await upTo({ ...nginx, also: { ...traefik, ingressPodLabels: { app: "traefik" } } })).steps, [
      ingress("create", "fay", "traefik"),
    ]);
  });

  it("leaves the first one's objects as the last step, and touches none of the second's", async () => {
    const { steps } = await upTo(traefik);
    assert.deepEqual(
      steps.toSorted(),
      ofBoth((member) => [ingress("delete", member, "ingress"), service("delete", member)]),
    );
    assert.deepEqual(await doors(), ["fay traefik"]);
  });

  it("moves from members' namespaces beside the controller and back, and opens the new before it closes the old", async () => {
    const there = await upTo({ ...traefik, place: "controller" });
    const assertOrder = (steps: readonly string[], one: string, other: string) =>
      assert.ok(steps.indexOf(one) >= 0 && steps.indexOf(one) < steps.indexOf(other), steps.join("\n"));
    assertOrder(there.steps, ingress("create", "fay", "ingress"), ingress("delete", "fay", "traefik"));
    assert.deepEqual(await doors(), ["traefik traefik"]);
    const back = await upTo(traefik);
    assertOrder(back.steps, ingress("create", "fay", "traefik"), ingress("delete", "fay", "ingress"));
    assert.deepEqual(await doors(), ["fay traefik"]);
  });

  it("goes on to a Gateway by way of both", async () => {
    forget = await installGatewayApi(stack.sandbox);
    isGatewayKnown = true;
    const both = await upTo({ ...traefik, also: gateway });
    assert.deepEqual(
      both.steps.toSorted(),
      ofBoth((member) => [httpRoute("create", member)]),
    );
    assert.deepEqual(await doors(), ["fay HTTPRoute", "fay traefik"]);
    const { steps } = await upTo(gateway);
    assert.deepEqual(
      steps.toSorted(),
      ofBoth((member) => [ingress("delete", member, "traefik")]),
    );
    assert.deepEqual(await doors(), ["fay HTTPRoute"]);
  });

  it("gives a member no word in the configuration of the controller that reads their Service", async () => {
    const me = await signedIn(stack.sandbox, { sub: "dan@example.org" });
    const body = { metadata: { annotations: { [snippet]: "http-request return status 200" } } };
    const path = "/api/v1/namespaces/dan/services/dan-svc";
    const refused = async () => {
      const answer = await me.ask("PATCH", path, body, "application/merge-patch+json");
      assert.equal(answer.status, 403);
      assert.match(
        JSON.stringify(answer.body),
        /Service 'dan-svc' has the annotation haproxy.org\/backend-config-snippet/,
      );
    };
    await refused();
    // One from before, which an admin may have set: the path stays closed for as long as it is there.
    await annotate("http-request return status 200");
    const { output } = await upTo({ controller: "haproxy" });
    const why = `dan: Service 'dan-svc' has the annotation ${snippet}, by which it would configure the ingress controller`;
    assertSays(output, [why, `kubectl annotate service dan-svc -n dan ${snippet}-`]);
    assert.deepEqual(await stack.sandbox.names("ingress", { namespace: "dan" }), []);
    assert.deepEqual(await doors(), ["fay haproxy"]);
    await annotate(null);
    assert.deepEqual((await upTo({ controller: "haproxy" })).steps, [ingress("create", "dan", "haproxy")]);
    await refused();
    await annotate("http-request return status 200");
    assertSays(await warningsOf(stack), [why]);
    await annotate(null);
  });

  it("keeps a path closed whose Service selects nothing", async () => {
    await stack.delete("service", "dan-svc", "dan");
    await stack.sandbox.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "dan-svc", namespace: "dan" },
      spec: { ports: [{ port: 80 }] },
    });
    const { steps, output } = await upTo({ controller: "haproxy" });
    assert.deepEqual(steps, [ingress("delete", "dan", "haproxy")]);
    assertSays(output, ["dan: Service 'dan-svc' has no selector"]);
    await stack.delete("service", "dan-svc", "dan");
    await makeService(stack, "dan");
    assert.deepEqual((await upTo({ controller: "haproxy" })).steps, [ingress("create", "dan", "haproxy")]);
  });
});
