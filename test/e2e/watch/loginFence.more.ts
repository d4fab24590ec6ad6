import assert from "node:assert/strict";
import type { Settings } from "../../../config/settings.ts";
import { ca } from "../../unit/certificates.ts";
import { routeObjects } from "../../unit/routeObjects.ts";
import { configuration, member, routeAt } from "../../unit/samples.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { installGatewayApi } from "../support/definitions/gatewayApi.ts";
import { installMiddlewares, installTransports } from "../support/definitions/traefik.ts";
import { annotated, type Made, named, useFences, withSpec } from "./fenced.ts";

const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
const signIn = "https://apps.example.org/oauth2/start";
const namespace = "ingress-nginx";
const nginx = "nginx.ingress.kubernetes.io/";
const traefik = "traefik.ingress.kubernetes.io/";
const middlewares = `${traefik}router.middlewares`;
const ned = member({ member: "ned", type: "user", subject: "ned+x@example.org" });

const settingsWith = (route: object) =>
  configuration({ members: [], route: { host: "{member}.apps.example.org", namespace, ...route } }).settings;
const asking = { kind: "oauth2-proxy", url };
const atNginx = (allow: unknown) => settingsWith({ login: { ...asking, signIn, allow }, limits: { bodyMiB: 8 } });
const atTraefik = (allow: unknown) =>
  settingsWith({
    controller: "traefik",
    place: "controller",
    rewrite: "strip",
    login: { ...asking, allow },
    limits: { bodyMiB: 8 },
  });

/** Stacks with a login, each with a fence and an identity of its own. */
const stacks: Readonly<Record<string, Settings>> = {
  none: settingsWith({}),
  "nginx-members": atNginx("members"),
  "nginx-groups": atNginx(["staff", "/lab/cs:101"]),
  "traefik-members": atTraefik("members"),
  "traefik-groups": atTraefik(["Lab Ω", "cs101"]),
  "traefik-member": atTraefik("member"),
  "traefik-tls": settingsWith({
    ...{ controller: "traefik", place: "controller", limits: { timeoutSeconds: 60 } },
    backendProtocol: "HTTPS",
    backendTls: { serverName: "{member}.camp.internal", ca },
  }),
};

/** Objects of ned's route, on a host that leaves a path to strip. */
const objectsOf = (settings: Settings) =>
  routeObjects(ned, routeAt("apps.example.org", "/ned"), settings).map(
    ({ part: _, ...object }) => object,
  ) as unknown as Made[];

const doorOf = (settings: Settings) => objectsOf(settings).find(({ kind }) => kind === "Ingress") ?? assert.fail();
const partOf = (settings: Settings, name: string) =>
  objectsOf(settings).find((made) => made.kind === "Middleware" && made.metadata.name === name) ?? assert.fail(name);

const address = (made: Made, to: string): Made =>
  withSpec(made, { forwardAuth: { ...(made.spec?.forwardAuth as object), address: to } });

describe("the fence of kubecamp watch, before paths without the stack's login", function () {
  this.timeout(clusterTimeout);
  const { sandbox: there, refusal } = useFences(stacks, namespace, [installMiddlewares, installTransports]);

  for (const [stack, settings] of Object.entries(stacks)) {
    it(`takes all that a run makes for a route: ${stack}`, async () => {
      for (const made of objectsOf(settings)) {
        assert.equal(await refusal(stack, made), "", `${made.kind} ${made.metadata.name}`);
      }
    });
  }

  const asked = /may have an ingress controller ask the stack's own login alone, for those whom it lets in/;
  const without = /may have no path without the stack's login/;
  const others = /may put no configuration of the ingress controller's own into an Ingress/;
  const treatment = /may have a Middleware ask the stack's own login, limit requests and strip a member's path alone/;
  const door = /may have the stack's own ingress controller serve an Ingress alone/;

  const beside = /may put no configuration of a controller's own beside the ingress controller/;
  const transport = /may have a ServersTransport say how a member's Service is asked and known alone/;

  const overTls = stacks["traefik-tls"] ?? assert.fail();
  const [ofService, ofTransport] = ["Service", "ServersTransport"].map(
    (wanted) => objectsOf(overTls).find(({ kind }) => kind === wanted) ?? assert.fail(wanted),
  ) as [Made, Made];
  const withMore = (more: object) => withSpec(ofTransport, { ...ofTransport.spec, ...more });
  const members = stacks["nginx-members"] ?? assert.fail();
  const groups = stacks["nginx-groups"] ?? assert.fail();
  const ofTraefik = stacks["traefik-groups"] ?? assert.fail();
  const everybody = stacks["traefik-members"] ?? assert.fail();
  const own = stacks["traefik-member"] ?? assert.fail();
  const authUrl = (to: string) => ({ [`${nginx}auth-url`]: to });
  const isGroups = `${url}/oauth2/auth?allowed_groups=staff&allowed_groups=/lab/cs:101`;
  const isOwn = `${url}/oauth2/auth?allowed_emails=`;
  const references = (...names: string[]) => ({
    [middlewares]: names.map((name) => `${namespace}-${name}@kubernetescrd`).join(),
  });

  const attempts: readonly (readonly [string, string, Made, RegExp])[] = [
    ["asks nobody", "nginx-members", annotated(doorOf(members), authUrl("")), asked],
    ["asks for nothing", "nginx-members", annotated(doorOf(members), { [`${nginx}auth-url`]: undefined }), without],
    ["asks the proxy's own health", "nginx-members", annotated(doorOf(members), authUrl(`${url}/ping`)), asked],
    ["asks the proxy's first page", "nginx-members", annotated(doorOf(members), authUrl(`${url}/`)), asked],
    ["asks a longer name", "nginx-members", annotated(doorOf(members), authUrl(`${url}.evil.org/oauth2/auth`)), asked],
    [
      "asks another as the proxy's name",
      "nginx-members",
      annotated(doorOf(members), authUrl(`${url}@evil.org/`)),
      asked,
    ],
    [
      "signs in elsewhere",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}auth-signin`]: "https://evil.org/" }),
      asked,
    ],
    ["signs in nowhere", "nginx-members", annotated(doorOf(members), { [`${nginx}auth-signin`]: undefined }), without],
    [
      "passes the visitor's token on",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}auth-response-headers`]: "X-Auth-Request-Access-Token" }),
      asked,
    ],
    [
      "has a line of HAProxy's own on the Service",
      "traefik-tls",
      annotated(ofService, { "haproxy.org/backend-config-snippet": "http-send-name-header x" }),
      beside,
    ],
    [
      "gives the Service a name in DNS",
      "traefik-tls",
      annotated(ofService, { "external-dns.alpha.kubernetes.io/hostname": "www.example.org" }),
      beside,
    ],
    [
      "has the controller's line in a value on the Service",
      "traefik-tls",
      annotated(ofService, { [`${traefik}service.serversscheme`]: "https;\n x" }),
      beside,
    ],
    [
      "gives a Middleware to another controller",
      "traefik-members",
      annotated(partOf(stacks["traefik-members"] ?? assert.fail(), "401-ned"), { "example.org/copies": "x" }),
      beside,
    ],
    [
      "shows the Service the controller's certificate",
      "traefik-tls",
      withMore({ certificatesSecrets: ["wildcard"] }),
      transport,
    ],
    ["trusts another CA", "traefik-tls", withMore({ rootCAs: [{ secret: "other" }] }), transport],
    ["trusts a ConfigMap's CA", "traefik-tls", withMore({ rootCAs: [{ configMap: "other" }] }), transport],
    ["waits for ever", "traefik-tls", withMore({ forwardingTimeouts: { dialTimeout: "0s" } }), transport],
    ["lets everyone in", "nginx-groups", annotated(doorOf(groups), authUrl(`${url}/oauth2/auth`)), asked],
    [
      "lets one more group in",
      "nginx-groups",
      annotated(doorOf(groups), authUrl(`${isGroups}&allowed_groups=evil`)),
      asked,
    ],
    [
      "lets a person in",
      "nginx-groups",
      annotated(doorOf(groups), authUrl(`${isGroups}&allowed_emails=a@evil.org`)),
      asked,
    ],
    [
      "lets everyone in after a #",
      "nginx-groups",
      annotated(doorOf(groups), authUrl(`${url}/oauth2/auth#${isGroups}`)),
      others,
    ],
    [
      "lets addresses in",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}whitelist-source-range`]: "0.0.0.0/0" }),
      others,
    ],
    ["asks either", "nginx-members", annotated(doorOf(members), { [`${nginx}satisfy`]: "any" }), others],
    [
      "answers for others too",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}server-alias`]: "evil.org" }),
      others,
    ],
    ["is a canary", "nginx-members", annotated(doorOf(members), { [`${nginx}canary`]: "true" }), others],
    [
      "has a line of nginx's own",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}auth-snippet`]: "return 200;" }),
      others,
    ],
    [
      "has a line of nginx's own in a value",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}rewrite-target`]: "/; auth_request off; #" }),
      others,
    ],
    [
      "is asked of Traefik where nginx serves",
      "nginx-members",
      annotated(doorOf(members), { [`${nginx}auth-url`]: undefined, ...references("401-ned") }),
      without,
    ],
    [
      "is served by another controller",
      "nginx-members",
      withSpec(doorOf(members), { ...doorOf(members).spec, ingressClassName: "haproxy" }),
      door,
    ],
    ["names no Middleware", "traefik-groups", annotated(doorOf(ofTraefik), { [middlewares]: undefined }), without],
    ["names only the first", "traefik-groups", annotated(doorOf(ofTraefik), references("401-ned")), without],
    ["names only the second", "traefik-groups", annotated(doorOf(ofTraefik), references("403-ned")), without],
    [
      "names another member's",
      "traefik-groups",
      annotated(doorOf(ofTraefik), references("401-uma", "403-uma")),
      without,
    ],
    [
      "names one more",
      "traefik-groups",
      annotated(doorOf(ofTraefik), references("401-ned", "403-ned", "open")),
      without,
    ],
    [
      "names them last",
      "traefik-groups",
      annotated(doorOf(ofTraefik), references("ned", "401-ned", "403-ned")),
      without,
    ],
    [
      "is asked of nginx where Traefik serves",
      "traefik-members",
      annotated(doorOf(everybody), { [middlewares]: undefined, ...authUrl(`${url}/oauth2/auth`) }),
      without,
    ],
    [
      "asks the proxy's health first",
      "traefik-groups",
      address(partOf(ofTraefik, "401-ned"), `${url}/ping`),
      treatment,
    ],
    ["asks another first", "traefik-groups", address(partOf(ofTraefik, "401-ned"), "http://evil.org/"), treatment],
    [
      "asks nobody first",
      "traefik-groups",
      withSpec(partOf(ofTraefik, "401-ned"), { stripPrefix: { prefixes: ["/"] } }),
      treatment,
    ],
    ["does nothing first", "traefik-groups", withSpec(partOf(ofTraefik, "401-ned"), {}), treatment],
    ["asks the second for any visitor", "traefik-groups", address(partOf(ofTraefik, "403-ned"), `${url}/`), treatment],
    [
      "has the second let everyone in",
      "traefik-groups",
      address(partOf(ofTraefik, "403-ned"), `${url}/oauth2/auth`),
      treatment,
    ],
    [
      "has the second let another group in",
      "traefik-groups",
      address(partOf(ofTraefik, "403-ned"), `${url}/oauth2/auth?allowed_groups=evil`),
      treatment,
    ],
    [
      "takes visitors' own words",
      "traefik-groups",
      withSpec(partOf(ofTraefik, "401-ned"), {
        forwardAuth: { ...(partOf(ofTraefik, "401-ned").spec?.forwardAuth as object), trustForwardHeader: true },
      }),
      treatment,
    ],
    ["is another of the same name to Traefik", "traefik-groups", named(partOf(ofTraefik, "ned"), "401.ned"), treatment],
    ["asks where paths are stripped", "traefik-groups", named(partOf(ofTraefik, "401-ned"), "ned"), treatment],
    [
      "lets two people in",
      "traefik-member",
      address(partOf(own, "403-ned"), `${isOwn}ned@example.org%2Ca@evil.org`),
      treatment,
    ],
    ["lets any address in", "traefik-member", address(partOf(own, "403-ned"), isOwn), treatment],
    [
      "lets a group in",
      "traefik-member",
      address(partOf(own, "403-ned"), `${isOwn}a@b.org&allowed_groups=evil`),
      treatment,
    ],
    [
      "asks without a login",
      "none",
      annotated(doorOf(stacks.none ?? assert.fail()), authUrl(`${url}/oauth2/auth`)),
      asked,
    ],
    ["asks in a Middleware without a login", "none", partOf(everybody, "401-ned"), treatment],
    ["asks for a path beginning with the sign of none", "none", address(partOf(everybody, "401-ned"), "-/"), treatment],
  ];

  for (const [tries, stack, made, words] of attempts) {
    it(`refuses an object of ${stack} that ${tries}`, async () => {
      assert.match(await refusal(stack, made), words);
    });
  }

  it("refuses routes at a Gateway where an ingress controller asks", async () => {
    const sandbox = there();
    const forgetGateways = await installGatewayApi(sandbox);
    const labels = { "kubecamp.dev/stack": members.stack };
    await sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "fenced", labels } });
    const metadata = { name: "ned", namespace: "fenced", labels };
    const route = { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", metadata, spec: {} };
    assert.equal(await refusal("none", route), "");
    assert.match(await refusal("nginx-members", route), without);
    assert.match(await refusal("traefik-groups", route), without);
    await sandbox.remove("/api/v1/namespaces/fenced");
    await forgetGateways();
  });

  it("refuses Services of members that the network outside reaches past the controller", async () => {
    const sandbox = there();
    const labels = { "kubecamp.dev/stack": members.stack };
    await sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "fenced-too", labels } });
    const service = (type: string) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "ned-svc", namespace: "fenced-too", labels },
      spec: { type, selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    assert.equal(await refusal("none", service("ClusterIP")), "");
    for (const type of ["NodePort", "LoadBalancer"]) {
      assert.match(
        await refusal("none", service(type)),
        /may have no Service at home that the network outside reaches/,
      );
    }
    await sandbox.remove("/api/v1/namespaces/fenced-too");
  });
});
