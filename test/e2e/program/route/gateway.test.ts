import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { V1ConfigMap } from "@kubernetes/client-node";
import { parseAllDocuments } from "yaml";
import { repository } from "../../../../sandbox/paths.ts";
import { ca } from "../../../unit/certificates.ts";
import { routeObjects } from "../../../unit/routeObjects.ts";
import { bob, gatewaySettings, routeAt } from "../../../unit/samples.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { installGatewayApi } from "../../support/definitions/gatewayApi.ts";
import { refusedInProcess } from "../inProcess.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { hasNamespace, makeNamespace, served } from "../workloads.ts";

/** dan's objects are changed by hand; in those of the others, something is in the way. */
const names = ["dan", "eve", "finn", "gil"];
const all = names.map((member): Entry => ({ member, type: "user" }));
const plain = {
  kind: "gateway",
  host: "apps.example.org",
  namespace: "gateways",
  gateway: { name: "public", sectionName: "https" },
};
const tls = { ...plain, rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } };
const ports = [
  { name: "80-8080", port: 80, targetPort: 8080 },
  { name: "443-8443", port: 443, targetPort: 8443 },
];
const kinds = ["httproute", "backendtlspolicy", "configmap"];
const types = {
  http: "kubernetes:gateway.networking.k8s.io/v1:HTTPRoute",
  "backend-tls": "kubernetes:gateway.networking.k8s.io/v1:BackendTLSPolicy",
  "backend-ca": "kubernetes:core/v1:ConfigMap",
};
const step = (operation: string, member: string, part: keyof typeof types) =>
  `${operation} ${types[part]} ${member}/route/${part}`;

/** Of an HTTPRoute and of a BackendTLSPolicy. */
interface Spec {
  readonly hostnames: readonly string[];
  readonly rules: readonly {
    readonly filters: readonly { readonly type: string }[];
    readonly backendRefs: readonly { readonly port: number }[];
  }[];
  readonly validation: { readonly hostname: string };
}

describe("a route at a Gateway", () => {
  const stack = useStack("gateway");
  /** Names of what a member's route consists of, in all namespaces. */
  const objects = async (member: string) => {
    const labelSelector = `kubecamp.dev/member=${member}`;
    return (await Promise.all(kinds.map((kind) => stack.sandbox.names(kind, { labelSelector })))).flat();
  };
  const spec = async (kind: string, member: string) =>
    (await stack.sandbox.get<{ readonly spec: Spec }>(kind, member, member)).spec;
  const backendCa = (member: string) => stack.sandbox.get<V1ConfigMap>("configmap", "kubecamp-backend-ca", member);
  const apply = async (text: string, ...flags: string[]) => {
    const { exitCode, stderr } = await stack.sandbox.kubectl(["apply", ...flags, "-f", "-"], { input: text });
    assert.equal(exitCode, 0, stderr);
  };
  /** Somebody's HTTPRoute in the namespace of the Gateway, for a member's path. */
  const otherRoute = (member: string, parent: object) =>
    stack.sandbox.apply({
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "HTTPRoute",
      metadata: { name: member, namespace: "gateways" },
      spec: {
        parentRefs: [parent],
        hostnames: ["apps.example.org"],
        rules: [{ matches: [{ path: { type: "PathPrefix", value: `/${member}` } }] }],
      },
    });
  /** The objects that docs/run/gateway.md tells an admin to make. */
  const admins = readFileSync(join(repository, "deploy/gateway.yaml"), "utf8");
  let forgetGatewayApi = async () => undefined as unknown;

  after(async () => {
    await stack.sandbox.remove("/api/v1/namespaces/gateways");
    await forgetGatewayApi();
  });

  it("refuses a route at a Gateway without the Gateway API, and says what to do", async () => {
    await makeNamespace(stack, "gateways");
    await stack.configure(all.slice(0, 1), { route: plain });
    await refusedInProcess(stack, [
      /Can't read the \w+.*: it does not know the kind \w+ \(404\)/,
      /The Gateway API, version 1\.4 or later, which 'route\.kind: gateway' takes, is not installed/,
    ]);
  });

  describe("where the API server knows it", () => {
    let first: Run;

    before(async () => {
      forgetGatewayApi = await installGatewayApi(stack.sandbox);
      await stack.configure(all, { route: plain });
      for (const member of names) {
        await served(stack, member, { ports });
      }
      first = await stack.upFine();
      await apply(admins);
    });

    it("opens a path as one HTTPRoute, and says that there is no Gateway", async () => {
      const made = first.steps.filter((each) => each.includes("/route/")).toSorted();
      assert.deepEqual(
        made,
        names.map((name) => step("create", name, "http")),
      );
      assert.match(
        first.output,
        /Gateway 'gateways\/public' \(route\.gateway\) does not exist: no member's path can be reached/,
      );
      const [documentedRoute] = parseAllDocuments(members.replaceAll("bob", "dan"));
      assert.deepEqual(await spec("httproute", "dan"), documentedRoute?.toJS().spec);
      const list = await kubecamp(["members", "--stack", "gateway", "-o", "wide"], {
        env: { KUBECONFIG: stack.sandbox.kubeconfig },
      });
      assert.match(list.stdout, / dan +user +ready .* https:\/\/apps\.example\.org\/dan\/ +-\n/);
    });

    it("changes an HTTPRoute in place to one that strips the prefix and speaks TLS", async () => {
      await stack.configure(all, { route: tls });
      const { steps, output } = await stack.upFine();
      assert.deepEqual(
        steps.filter((each) => each.includes("dan/route/")),
        [step("create", "dan", "backend-ca"), step("create", "dan", "backend-tls"), step("update", "dan", "http")],
      );
      assert.doesNotMatch(output, /by hand|Deleted by hand|does not exist/);
      const [rule] = (await spec("httproute", "dan")).rules;
      assert.deepEqual([rule?.filters[0]?.type, rule?.backendRefs[0]?.port], ["URLRewrite", 443]);
      assert.deepEqual(await spec("backendtlspolicy", "dan"), {
        targetRefs: [{ group: "", kind: "Service", name: "dan-svc" }],
        validation: {
          hostname: "dan-svc.dan.svc",
          caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "kubecamp-backend-ca" }],
        },
      });
      assert.equal((await backendCa("dan")).data?.["ca.crt"], ca);
    });

    it("lets no member change, delete or make the ConfigMap of their backend's CA", async () => {
      const configMap = "configmap/kubecamp-backend-ca";
      for (const args of [
        ["patch", configMap, "--type=merge", "-p", JSON.stringify({ immutable: true, data: { "ca.crt": "mine" } })],
        ["delete", "configmaps", "--all"],
        // Admission answers before the conflict with the existing object.
        ["create", "configmap", "kubecamp-backend-ca", "--from-literal=ca.crt=mine"],
      ]) {
        const { exitCode, stderr } = await stack.sandbox.kubectl([...args, "-n", "dan", "--as", "oidc:dan"]);
        assert.notEqual(exitCode, 0, args.join(" "));
        assert.match(stderr, /'kubecamp-reserved-gateway' .*ConfigMap 'kubecamp-backend-ca' belongs to the platform/);
      }
      await backendCa("dan");
    });

    it("restores a route changed by hand, and closes one with something in its CA's place", async () => {
      const { patch } = stack.sandbox;
      await patch("httproute", "dan", "dan", { spec: { hostnames: ["apps.example.org", "elsewhere.example.org"] } });
      await patch("backendtlspolicy", "dan", "dan", { spec: { validation: { hostname: "elsewhere.example.org" } } });
      await patch("configmap", "kubecamp-backend-ca", "dan", { data: { "ca.crt": "mine" } });
      const status = JSON.stringify({ status: refusedBy("public") });
      await stack.kubectl(
        ...["patch", "httproute/dan", "-n", "dan", "--subresource=status", "--type=merge", "-p", status],
      );
      const put = (namespace: string, content: object, annotations: object = {}) => {
        const metadata = { name: "kubecamp-backend-ca", namespace, annotations };
        return stack.sandbox.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, ...content });
      };
      // Possible before there was a policy, and for users who may change the namespace.
      await put("eve", { data: { "ca.crt": "mine" }, immutable: true });
      await patch("configmap", "kubecamp-backend-ca", "finn", { data: { "ca.crt": "mine" } });
      const before = { ...(await backendCa("finn")).metadata?.annotations };
      const used = Object.entries(before).join("").length - Object.keys(before).length;
      // Fills up the limit of all annotations.
      await put("finn", {}, { fill: "x".repeat(262_144 - used - "fill".length) });
      await stack.delete("configmap", "kubecamp-backend-ca", "gil");
      await put("gil", { data: { "ca.crt": "mine" } });
      const { steps, output } = await stack.upPreviewed();
      // Objects that nobody changed show no diff, whatever the API server has added to them.
      assert.deepEqual(
        steps.filter((each) => each.includes(" dan/")),
        [step("update", "dan", "backend-ca"), step("update", "dan", "backend-tls"), step("update", "dan", "http")],
      );
      for (const object of ["HTTPRoute dan/dan", "BackendTLSPolicy dan/dan", "ConfigMap dan/kubecamp-backend-ca"]) {
        assert.match(output, new RegExp(`'pulumi up' restores it:(\\n +.*)*\\n +${object}\\n`));
      }
      assert.match(
        output,
        /Gateway 'gateways\/public' does not serve .*:\n +dan: NotAllowedByListeners: not from here\n/,
      );
      assert.deepEqual((await spec("httproute", "dan")).hostnames, ["apps.example.org"]);
      assert.equal((await spec("backendtlspolicy", "dan")).validation.hostname, "dan-svc.dan.svc");
      assert.equal((await backendCa("dan")).data?.["ca.crt"], ca);
      for (const [member, reason] of [
        ["eve", "is immutable, and has another CA than the stack's"],
        ["finn", "has so much in it that nothing can be added"],
        ["gil", "is not kubecamp's"],
      ] as const) {
        assert.match(output, new RegExp(`^ +${member}: ConfigMap 'kubecamp-backend-ca' ${reason}; delete it \\(`, "m"));
        assert.ok(steps.includes(step("delete", member, "http")), steps.join("\n"));
      }
    });

    it("opens a route again, closes one without a Service, and removes one with its member", async () => {
      assert.equal((await objects("dan")).length, 3);
      await stack.delete("service", "dan-svc", "dan");
      // Neither holds a path of the Gateway's: one is at another of that name, and one was rejected.
      await otherRoute("finn", { name: "public", namespace: "default" });
      await otherRoute("gil", { name: "public", namespace: "gateways" });
      const rejected = JSON.stringify({ status: refusedBy("public") });
      await stack.kubectl(
        ...["patch", "httproute/gil", "-n", "gateways", "--subresource=status", "--type=merge", "-p", rejected],
      );
      await stack.configure(
        all.filter(({ member }) => member !== "eve"),
        { route: tls },
      );
      const { steps, output } = await stack.upFine();
      assert.deepEqual(
        steps.filter((each) => each.includes("dan/route/")),
        [step("delete", "dan", "http"), step("delete", "dan", "backend-tls"), step("delete", "dan", "backend-ca")],
      );
      assert.match(output, /Routes that were open, and that 'pulumi up' closes:\n +dan: no Service 'dan-svc'/);
      assert.deepEqual([await objects("dan"), await objects("eve")], [[], []]);
      assert.equal(await hasNamespace(stack, "eve"), false);
      // The object in the way was deleted with the route, since Pulumi's state knew it by name.
      for (const member of ["finn", "gil"]) {
        assert.equal((await objects(member)).length, 3, output);
        assert.equal((await backendCa(member)).data?.["ca.crt"], ca);
      }
    });

    it("opens no path that another route at the Gateway has", async () => {
      await otherRoute("dan", { name: "public", namespace: "gateways" });
      await stack.sandbox.apply({
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "dan-svc", namespace: "dan" },
        spec: { selector: { app: "dan-svc" }, ports },
      });
      const { output } = await stack.upFine();
      const held = /^ +dan: https:\/\/apps\.example\.org\/dan\/ is the address of HTTPRoute 'gateways\/dan' already/m;
      assert.match(output, held);
      assert.deepEqual(await objects("dan"), []);
    });

    it("makes routes that the API server takes, however unusual stack and member are", async () => {
      const long = `m${"x".repeat(58)}`;
      const member = { ...bob, name: long };
      const backend = { backendProtocol: "HTTPS" };
      const serverName = `${"s".repeat(63)}.${"t".repeat(63)}.{member}.example.org`;
      const gateway = { name: "public.of-all", namespace: "edge", sectionName: "https.v2" };
      const all = [
        routeObjects(member, routeAt(`${long}.apps.example.org`, "/"), gatewaySettings({ rewrite: "strip", gateway })),
        routeObjects(member, routeAt("localhost", `/a.b/c_d/${"e".repeat(80)}`), gatewaySettings({ rewrite: "strip" })),
        routeObjects(member, routeAt("camp.example.org", `/${long}`), gatewaySettings(backend)),
        routeObjects(
          { ...bob, name: "x1" },
          routeAt("camp.example.org", "/1"),
          gatewaySettings({ ...backend, backendTls: { ca, serverName } }),
        ),
      ].flat();
      const items = all.map(({ part: _, metadata, ...object }) => {
        return { ...object, metadata: { ...metadata, namespace: "default" } };
      });
      await apply(JSON.stringify({ apiVersion: "v1", kind: "List", items }), "--server-side", "--dry-run=server");
      await apply(members.replaceAll("bob", "default"), "--dry-run=server");
    });
  });
});

/** The status that a Gateway writes into a route that it refuses. */
function refusedBy(name: string) {
  const parentRef = { group: "gateway.networking.k8s.io", kind: "Gateway", name, namespace: "gateways" };
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const refused = { type: "Accepted", status: "False", reason: "NotAllowedByListeners", message: "not from here" };
  const controllerName = "example.org/gateway-controller";
  return { parents: [{ parentRef, controllerName, conditions: [{ ...refused, lastTransitionTime }] }] };
}

/** The route of bob's at a Gateway. */
const members = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: bob
  namespace: bob
  annotations:
    kubecamp.dev/url: https://apps.example.org/bob/
spec:
  parentRefs:
    - group: gateway.networking.k8s.io
      kind: Gateway
      name: public
      namespace: gateways
      sectionName: https
  hostnames: [apps.example.org]
  rules:
    - matches:
        - path: { type: PathPrefix, value: /bob }
      backendRefs:
        - { group: "", kind: Service, name: bob-svc, port: 80, weight: 1 }
`;
