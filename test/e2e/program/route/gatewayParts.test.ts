import assert from "node:assert/strict";
import type { KubernetesObject } from "@kubernetes/client-node";
import { routeObjects } from "../../../unit/routeObjects.ts";
import { bob, gatewaySettings, routeAt } from "../../../unit/samples.ts";
import { installEnvoyGateway, installOldEnvoyGateway } from "../../support/definitions/envoyGateway.ts";
import { installGatewayApi } from "../../support/definitions/gatewayApi.ts";
import { refusedInProcess } from "../inProcess.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { makeNamespace, served, until } from "../workloads.ts";

const names = ["dan", "eve"];
const all = names.map((member): Entry => ({ member, type: "user", subject: `${member}@example.org` }));
const plain = {
  kind: "gateway",
  host: "{member}.apps.example.org",
  gateway: { name: "public", namespace: "gateways" },
};
const tls = { clusterIssuer: "camp" };
const login = { kind: "oauth2-proxy", url: "http://oauth2-proxy.login.svc.cluster.local:4180", allow: "member" };
const whole = { ...plain, tls, login };
const ports = [{ name: "80-8080", port: 80, targetPort: 8080 }];
const types = {
  listeners: "kubernetes:gateway.networking.k8s.io/v1:ListenerSet",
  "http-login": "kubernetes:gateway.envoyproxy.io/v1alpha1:SecurityPolicy",
  http: "kubernetes:gateway.networking.k8s.io/v1:HTTPRoute",
};
const step = (operation: string, member: string, part: keyof typeof types) =>
  `${operation} ${types[part]} ${member}/route/${part}`;

interface Made extends KubernetesObject {
  readonly spec: {
    readonly parentRefs: readonly { readonly kind: string }[];
    readonly listeners: readonly { readonly hostname: string }[];
    readonly extAuth: { readonly failOpen: boolean; readonly http: { readonly pathOverride: string } };
  };
}

describe("a certificate and a login at a Gateway", () => {
  const stack = useStack("gatewayparts");
  const spec = async (kind: string, name: string, namespace: string) =>
    (await stack.sandbox.get<Made>(kind, name, namespace)).spec;
  const forget: (() => Promise<void>)[] = [];
  const ofRoutes = ({ steps }: Run, member: string) => steps.filter((each) => each.includes(` ${member}/route/`));
  const asDan = (...args: string[]) => stack.sandbox.kubectl([...args, "--as", "oidc:dan@example.org"]);
  const refusedToDan = async (words: RegExp, input: string, ...args: string[]) => {
    const { exitCode, stderr } = await stack.sandbox.kubectl(
      [...args, "--as", "oidc:dan@example.org"],
      input === "" ? {} : { input },
    );
    assert.notEqual(exitCode, 0, args.join(" "));
    assert.match(stderr, words, args.join(" "));
  };

  before(() => makeNamespace(stack, "gateways"));
  after(async () => {
    await stack.sandbox.remove("/api/v1/namespaces/gateways");
    for (const each of forget.reverse()) {
      await each();
    }
  });

  it("is refused without ListenerSets, without Envoy Gateway, and with one that is too old", async () => {
    forget.push(await installGatewayApi(stack.sandbox));
    await stack.sandbox.destroy("customresourcedefinition", "listenersets.gateway.networking.k8s.io");
    await stack.configure(all.slice(0, 1), { route: { ...plain, tls } });
    await refusedInProcess(stack, [
      /does not know the kind ListenerSet \(404\)/,
      /CustomResourceDefinitions of version 1\.5 or later/,
    ]);
    await installGatewayApi(stack.sandbox);
    await stack.configure(all.slice(0, 1), { route: { ...plain, login } });
    await refusedInProcess(stack, [/does not know the kind SecurityPolicy \(404\)/, /use Envoy Gateway 1\.8/]);
    const forgetOld = await installOldEnvoyGateway(stack.sandbox);
    const published = async () =>
      (await stack.sandbox.kubectl(["get", "--raw", "/openapi/v3/apis/gateway.envoyproxy.io/v1alpha1"])).exitCode === 0;
    await until(published);
    await refusedInProcess(stack, [/The Envoy Gateway on this cluster is older than 1\.8/]);
    await forgetOld();
    await until(async () => !(await published()));
  });

  describe("where the API server knows the kinds", () => {
    let first: Run;

    before(async () => {
      forget.push(await installEnvoyGateway(stack.sandbox));
      await until(async () => {
        const { stdout } = await stack.sandbox.kubectl([
          ...["get", "--raw", "/openapi/v3/apis/gateway.envoyproxy.io/v1alpha1"],
        ]);
        return stdout.includes("pathOverride");
      });
      await stack.configure(all, { route: whole });
      for (const member of names) {
        await served(stack, member, { ports });
      }
      first = await stack.upFine();
    });

    it("comes before the path: a listener beside the Gateway, and a policy at home", async () => {
      assert.deepEqual(ofRoutes(first, "dan"), [
        step("create", "dan", "listeners"),
        step("create", "dan", "http-login"),
        step("create", "dan", "http"),
      ]);
      const settings = gatewaySettings(whole);
      const member = { ...bob, name: "dan", username: "oidc:dan@example.org" };
      for (const { kind, ...object } of routeObjects(member, routeAt("dan.apps.example.org", "/"), settings)) {
        const place = kind === "ListenerSet" ? "gateways" : "dan";
        // The API server adds nothing within lists, which a run compares whole.
        const { status: _, ...live } = await stack.sandbox.get<Made & { readonly status?: object }>(
          kind.toLowerCase(),
          "dan",
          place,
        );
        assert.deepEqual(live.spec, Object(object).spec, kind);
      }
      const { steps } = await stack.upFine();
      assert.deepEqual(
        steps.filter((each) => !each.startsWith("same")),
        [],
      );
    });

    it("is no member's to write, not even of those whom roles let", async () => {
      const resources = ["securitypolicies.gateway.envoyproxy.io", "listenersets.gateway.networking.k8s.io"];
      await stack.kubectl(...["create", "clusterrole", "widest", "--verb=*", `--resource=${resources.join()}`]);
      await stack.kubectl(
        ...["create", "rolebinding", "widest", "-n", "dan", "--clusterrole=widest", "--user=oidc:dan@example.org"],
      );
      const policy = await stack.kubectl("get", "securitypolicy/dan", "-n", "dan", "-o", "json");
      const own = JSON.stringify({ ...JSON.parse(policy), metadata: { name: "mine", namespace: "dan" } });
      const open = JSON.stringify({ spec: { extAuth: { failOpen: true } } });
      const routes = /only the platform makes routes in namespace 'dan'/;
      await refusedToDan(routes, own, "create", "-f", "-");
      // Two policies refuse that.
      await refusedToDan(
        /only the platform/,
        "",
        "patch",
        "securitypolicy/dan",
        "-n",
        "dan",
        "--type=merge",
        "-p",
        open,
      );
      const platforms =
        /SecurityPolicy 'dan' belongs to the platform, and only the platform can create, change or delete it/;
      await refusedToDan(platforms, "", "delete", "securitypolicy/dan", "-n", "dan");
      await refusedToDan(platforms, "", "delete", "securitypolicies", "--all", "-n", "dan");
      const set = JSON.parse(await stack.kubectl("get", "listenerset/dan", "-n", "gateways", "-o", "json"));
      const mine = JSON.stringify({ ...set, metadata: { name: "mine", namespace: "dan" } });
      await refusedToDan(routes, mine, "create", "-f", "-");
      await refusedToDan(/forbidden/, "", "delete", "listenerset/dan", "-n", "gateways");
      await refusedToDan(/forbidden/, "", "get", "secret/dan.apps.example.org-tls", "-n", "gateways");
      const certificate = ["create", "secret", "generic", "dan.apps.example.org-tls", "-n", "gateways"];
      await refusedToDan(/forbidden/, "", ...certificate);
      assert.equal((await asDan("get", "httproute/dan", "-n", "dan")).exitCode, 0);
      await stack.kubectl("delete", "rolebinding", "widest", "-n", "dan");
      await stack.kubectl("delete", "clusterrole", "widest");
    });

    it("comes back after a change by hand", async () => {
      await stack.sandbox.patch("securitypolicy", "dan", "dan", { spec: { extAuth: { failOpen: true } } });
      const [listener] = (await spec("listenerset", "dan", "gateways")).listeners;
      const listeners = [{ ...listener, hostname: "other.example.org" }];
      await stack.sandbox.patch("listenerset", "dan", "gateways", { spec: { listeners } });
      await stack.delete("securitypolicy", "eve", "eve");
      const { steps, output } = await stack.upPreviewed();
      const changed = steps.filter((each) => !each.startsWith("same"));
      assert.deepEqual(changed, [step("update", "dan", "listeners"), step("update", "dan", "http-login")]);
      for (const object of ["SecurityPolicy dan/dan", "ListenerSet gateways/dan"]) {
        assert.match(output, new RegExp(`'pulumi up' restores it:(\\n +.*)*\\n +${object}\\n`));
      }
      assert.match(
        output,
        /Deleted by hand; 'pulumi up --refresh' creates it again:\n(.*\n)* +SecurityPolicy eve\/eve\n/,
      );
      assert.equal((await spec("securitypolicy", "dan", "dan")).extAuth.failOpen, false);
      const [restored] = (await spec("listenerset", "dan", "gateways")).listeners;
      assert.equal(restored?.hostname, "dan.apps.example.org");
      const again = (await stack.upFine("--refresh")).steps.filter((each) => each.startsWith("create"));
      assert.deepEqual(again, [step("create", "eve", "http-login")]);
      assert.match((await spec("securitypolicy", "eve", "eve")).extAuth.http.pathOverride, /eve%40example\.org$/);
    });

    it("goes with the settings, and with the path, which goes first", async () => {
      await stack.configure(all, { route: plain });
      const without = ofRoutes(await stack.upFine(), "dan");
      assert.deepEqual(without, [
        step("update", "dan", "http"),
        step("delete", "dan", "http-login"),
        step("delete", "dan", "listeners"),
      ]);
      assert.equal((await spec("httproute", "dan", "dan")).parentRefs[0]?.kind, "Gateway");
      await stack.configure(all, { route: whole });
      await stack.upFine();
      await stack.delete("service", "dan-svc", "dan");
      const closing = ofRoutes(await stack.upFine(), "dan");
      assert.deepEqual(closing, [
        step("delete", "dan", "http"),
        step("delete", "dan", "http-login"),
        step("delete", "dan", "listeners"),
      ]);
    });

    it("stops a run where a listener of another has its name", async () => {
      const metadata = { name: "dan", namespace: "gateways" };
      const listeners = [{ name: "x", port: 443, protocol: "HTTP", hostname: "x.org" }];
      await stack.sandbox.apply({
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "ListenerSet",
        metadata,
        spec: { parentRef: { name: "public" }, listeners },
      });
      await refusedInProcess(stack, [/ListenerSet 'gateways\/dan' .*is not kubecamp's/]);
      await stack.sandbox.destroy("listenerset", "dan", "gateways");
    });
  });
});
