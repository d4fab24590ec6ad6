import assert from "node:assert/strict";
import type { V1Ingress, V1Secret, V1Service } from "@kubernetes/client-node";
import { ca } from "../../../unit/certificates.ts";
import { installMiddlewares } from "../../support/definitions/traefik.ts";
import { signedIn } from "../../support/signIn/signedIn.ts";
import { historyOf } from "../history.ts";
import { assertSays, refusedInProcess, warningsOf } from "../inProcess.ts";
import { everything, type LiveObject, nameOf } from "../inventory.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { makeNamespace, makeService, served } from "../workloads.ts";

const dan: Entry = { member: "dan", type: "admin", subject: "dan@example.org" };
const eve: Entry = { member: "eve", type: "guest-user", subject: "eve@example.org" };
/** An open path that nobody touches. */
const fay: Entry = { member: "fay", type: "user", subject: "fay@example.org" };
const all = [dan, eve, fay];

const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
const login = { kind: "oauth2-proxy", url, signIn: "https://camp.test/oauth2/start", allow: ["staff"] };
const traefik = {
  host: "{member}.camp.test",
  controller: "traefik",
  login: { kind: "oauth2-proxy", url, allow: "member" },
};
const authResponseHeaders = ["User", "Email", "Groups", "Preferred-Username"].map((what) => `X-Auth-Request-${what}`);
const auth = "nginx.ingress.kubernetes.io/auth";
const ingressUpdate = (member: string, part = "ingress") =>
  `update kubernetes:networking.k8s.io/v1:Ingress ${member}/route/${part}`;
const middleware = (operation: string, part: string) =>
  `${operation} kubernetes:traefik.io/v1alpha1:Middleware dan/route/traefik-${part}`;

const created = [
  "create kubernetes:core/v1:Service dan/route/service",
  "create kubernetes:networking.k8s.io/v1:Ingress dan/route/ingress",
];
const deleted = [
  "delete kubernetes:networking.k8s.io/v1:Ingress dan/route/ingress",
  "delete kubernetes:core/v1:Service dan/route/service",
];

describe("a member's route", () => {
  const stack = useStack("route");
  /** Names of the Ingresses and of the Services beside the controller. */
  const routed = () =>
    Promise.all(["ingress", "service"].map((kind) => stack.sandbox.names(kind, { namespace: "ingress-nginx" })));
  const ingress = () => stack.sandbox.get<V1Ingress>("ingress", "dan", "ingress-nginx");
  const specOf = async (name: string) =>
    (await stack.sandbox.get<{ readonly spec: object }>("middleware", name, "dan")).spec;
  /** Only dan's route, in the order in which the run finished its objects. */
  const dans = (run: Run) => run.steps.filter((step) => step.includes(" dan/route/"));

  let first: Run;
  let forget = async () => undefined as unknown;

  before(async () => {
    const ports = [80, 443].map((port) => ({ name: `port-${port}`, port, targetPort: port + 8000 }));
    await served(stack, "dan", { type: "ExternalName", externalName: "eve-svc.eve" });
    await served(stack, "fay", { ports });
    await stack.configure(all);
    first = await stack.upFine();
  });
  after(async () => {
    await forget();
    await stack.sandbox.remove("/api/v1/namespaces/traefik");
  });

  it("keeps a path pending without a Service, or with one that leads elsewhere", async () => {
    assert.match(first.output, /2 routes are pending/);
    assert.match(first.output, /dan: Service 'dan-svc' is of type ExternalName, not ClusterIP/);
    assert.match(first.output, /eve: no Service 'eve-svc' in namespace 'eve'/);
    const diagnostics = first.output.slice(first.output.indexOf("Diagnostics:"));
    assert.equal(diagnostics.match(/routes? (is|are) pending/g)?.length, 1);
    assert.deepEqual(await routed(), [["fay"], ["fay-svc"]]);
  });

  it("opens a path with the first up that finds the Service, and changes nothing else", async () => {
    await stack.delete("service", "dan-svc", "dan");
    await makeService(stack, "dan");
    assert.deepEqual((await stack.upFine()).steps, created);
    assert.deepEqual(await routed(), [
      ["dan", "fay"],
      ["dan-svc", "fay-svc"],
    ]);
    const reason = "no Service 'eve-svc' in namespace 'eve'";
    assert.deepEqual(await stack.outputs(), {
      members: {
        dan: { type: "admin", namespace: "dan", state: "ready", url: "https://camp.test/dan/" },
        eve: { type: "guest-user", namespace: "eve", state: "pending", reason },
        fay: { type: "user", namespace: "fay", state: "ready", url: "https://camp.test/fay/" },
      },
      pending: ["eve"],
    });
  });

  it("leads a path through the Ingress and the ExternalName Service to the member's Service", async () => {
    assert.deepEqual((await ingress()).spec, {
      ingressClassName: "nginx",
      rules: [
        {
          host: "camp.test",
          http: {
            paths: [
              { path: "/dan", pathType: "Prefix", backend: { service: { name: "dan-svc", port: { number: 80 } } } },
            ],
          },
        },
      ],
    });
    const { spec } = await stack.sandbox.get<V1Service>("service", "dan-svc", "ingress-nginx");
    assert.equal(spec?.externalName, "dan-svc.dan.svc.cluster.local.");
  });

  it("verifies members' certificates by the stack's CA and asks for a login, and restores both", async () => {
    const annotations = async () => {
      const found = Object.entries({ ...(await ingress()).metadata?.annotations });
      return Object.fromEntries(found.filter(([key]) => key.startsWith("nginx.ingress.")));
    };
    await stack.delete("service", "dan-svc", "dan");
    await makeService(stack, "dan", "443:8443");
    const route = { host: "camp.test", rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca }, login };
    await stack.configure(all, { route });
    const made = await stack.upFine();
    assert.deepEqual(
      made.steps.filter((step) => !step.includes(" fay/") && !step.endsWith("/namespace")),
      [
        "create kubernetes:core/v1:Secret access/backend-ca",
        "update kubernetes:core/v1:Service dan/route/service",
        ingressUpdate("dan"),
      ],
    );
    assertSays(made.output, ["route.login: on camp.test, which members share, any member's page can read"]);
    const secret = ["secret", "kubecamp-backend-ca-route", "ingress-nginx"] as const;
    const { get, patch } = stack.sandbox;
    const stored = (await get<V1Secret>(...secret)).data?.["ca.crt"] ?? "";
    assert.equal(Buffer.from(stored, "base64").toString(), ca);
    const expected = await annotations();
    assert.deepEqual(expected, {
      "nginx.ingress.kubernetes.io/use-regex": "true",
      "nginx.ingress.kubernetes.io/rewrite-target": "/$2",
      "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS",
      "nginx.ingress.kubernetes.io/proxy-ssl-secret": "ingress-nginx/kubecamp-backend-ca-route",
      "nginx.ingress.kubernetes.io/proxy-ssl-verify": "on",
      "nginx.ingress.kubernetes.io/proxy-ssl-name": "dan-svc.dan.svc",
      "nginx.ingress.kubernetes.io/proxy-ssl-server-name": "on",
      [`${auth}-url`]: `${url}/oauth2/auth?allowed_groups=staff`,
      [`${auth}-signin`]: "https://camp.test/oauth2/start",
      [`${auth}-response-headers`]: authResponseHeaders.join(),
    });

    const changed = {
      "nginx.ingress.kubernetes.io/proxy-ssl-verify": "off",
      [`${auth}-url`]: null,
      [`${auth}-response-headers`]: null,
      // Ways around the login that nobody declares.
      [`${auth}-snippet`]: "return 200;",
      "nginx.ingress.kubernetes.io/enable-global-auth": "false",
      "nginx.ingress.kubernetes.io/whitelist-source-range": "0.0.0.0/0",
    };
    await patch("ingress", "dan", "ingress-nginx", { metadata: { annotations: changed } });
    await patch(...secret, { data: { "ca.crt": "eA==" } });
    const { output, steps } = await stack.upFine();
    assert.match(
      output,
      /Changed by hand.*\n +Secret ingress-nginx\/kubecamp-backend-ca-route\n +Ingress ingress-nginx\/dan/,
    );
    // Of all steps: fay's Ingress, which nobody has touched, is left alone.
    assert.deepEqual(steps, ["update kubernetes:core/v1:Secret access/backend-ca", ingressUpdate("dan")]);
    assert.deepEqual(await annotations(), expected);
    assert.equal((await get<V1Secret>(...secret)).data?.["ca.crt"], stored);

    await patch(...secret, { metadata: { labels: { "app.kubernetes.io/managed-by": "Helm" } } });
    await refusedInProcess(stack, [
      "Secret 'ingress-nginx/kubecamp-backend-ca-route' exists already and is not kubecamp's",
    ]);
    await patch(...secret, { metadata: { labels: { "app.kubernetes.io/managed-by": "kubecamp" } } });
  });

  it("takes off what a killed run has applied to a route and a namespace", async () => {
    const home = () => stack.sandbox.get<LiveObject>("namespace", "dan");
    const { metadata = {}, spec } = await ingress();
    const { name, namespace, labels, annotations } = metadata;
    // As the run's declaration was another one.
    const mark = { "kubecamp.dev/applied": "0badcafe0badcafe" };
    const applied = [
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name, namespace, labels, annotations: { ...annotations, ...mark } },
        spec,
      },
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: {
          name: "dan",
          labels: { ...(await home()).metadata.labels, "kubecamp.dev/protected": "true" },
          annotations: { "kubecamp.dev/images": "docker.io/library/nginx:1.29", ...mark },
        },
      },
    ];
    await stack.sandbox.applyAs("kubecamp", ...applied);
    await stack.configure(all, { route: { host: "camp.test", backendProtocol: "HTTPS", backendTls: { ca } } });
    await stack.upFine();
    const [{ metadata: left }, { metadata: leftHome }] = [await ingress(), await home()];
    assert.equal(left?.annotations?.["nginx.ingress.kubernetes.io/backend-protocol"], "HTTPS");
    for (const gone of ["nginx.ingress.kubernetes.io/use-regex", "nginx.ingress.kubernetes.io/rewrite-target"]) {
      assert.equal(left?.annotations?.[gone], undefined, gone);
    }
    assert.equal(leftHome.labels?.["kubecamp.dev/protected"], undefined);
    assert.equal(leftHome.annotations?.["kubecamp.dev/images"], undefined);
    assert.equal(leftHome.labels?.["kubecamp.dev/stack"], "route");
  });

  it("closes a path once the Service is gone, the Ingress before what it points at", async () => {
    await stack.delete("service", "dan-svc", "dan");
    const history = await historyOf(
      stack,
      (name) => name.startsWith("dan"),
      async () => {
        const { steps, output } = await stack.upFine();
        assert.deepEqual(steps, deleted);
        assert.match(output, /Routes that were open, and that 'pulumi up' closes:\n +dan: no Service 'dan-svc'/);
      },
    );
    assert.deepEqual(history, ["DELETED Ingress ingress-nginx/dan", "DELETED Service ingress-nginx/dan-svc"]);
    assert.deepEqual(await routed(), [["fay"], ["fay-svc"]]);
  });

  describe("with a login at Traefik", () => {
    before(async () => {
      await makeNamespace(stack, "traefik");
      await makeService(stack, "dan");
      await stack.configure(all, { route: traefik });
    });

    it("refuses a login at Traefik where the API server does not know Middlewares", async () => {
      await refusedInProcess(stack, [/it does not know the kind Middleware \(404\)/, /'limits' and 'login' take/]);
    });

    it("makes Middlewares before the Ingress that refers to them", async () => {
      forget = await installMiddlewares(stack.sandbox);
      const run = await stack.upFine();
      const made = dans(run).filter((step) => !step.startsWith("delete"));
      const at = (part: string) => made.findIndex((step) => step.endsWith(`dan/route/traefik${part}`));
      assert.ok(made.includes(middleware("create", "login")) && made.includes(middleware("create", "allow")));
      assert.ok(at("-login") < at("-allow") && at("-allow") < at(""), made.join("\n"));
      assert.doesNotMatch(run.output, /sharedLogin|which members share/);
      assert.deepEqual(await specOf("401-dan"), { forwardAuth: { address: `${url}/`, authResponseHeaders } });
      const address = `${url}/oauth2/auth?allowed_emails=dan%40example.org`;
      assert.deepEqual(await specOf("403-dan"), { forwardAuth: { address, authResponseHeaders } });
      const { metadata } = await stack.sandbox.get<V1Ingress>("ingress", "traefik", "dan");
      assert.equal(
        metadata?.annotations?.["traefik.ingress.kubernetes.io/router.middlewares"],
        "dan-401-dan@kubernetescrd,dan-403-dan@kubernetescrd",
      );
    });

    it("restores a Middleware that asks somebody else, and one that is gone", async () => {
      const allow = await specOf("403-dan");
      const forwardAuth = { address: "http://elsewhere.example.org/" };
      await stack.sandbox.patch("middleware", "403-dan", "dan", { spec: { forwardAuth } });
      await stack.delete("middleware", "401-dan", "dan");
      // Without it, Traefik serves no path that refers to it.
      assertSays(await warningsOf(stack), [/creates it again:(\n.*)*Middleware dan\/401-dan/]);
      const run = await stack.upFine("--refresh");
      assert.match(run.output, /Changed by hand.*(\n.*)*Middleware dan\/403-dan/);
      // Of all steps: what nobody has touched is left alone.
      assert.deepEqual(run.steps, [middleware("create", "login"), middleware("update", "allow")]);
      assert.deepEqual(await specOf("403-dan"), allow);
      await specOf("401-dan");
    });

    it("gives a member with a real token no way around the login", async () => {
      const me = await signedIn(stack.sandbox, { sub: "dan@example.org" });
      const metadata = (name: string, more: object = {}) => ({ metadata: { name, ...more } });
      const ingresses = (namespace: string) => `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
      const own = (namespace: string) => `/apis/traefik.io/v1alpha1/namespaces/${namespace}/middlewares`;
      const open = { ...metadata("open"), spec: { ingressClassName: "traefik", rules: [{ host: "dan.camp.test" }] } };
      /** All that is at home, with what changes whenever something is written. */
      const objects = async () =>
        (await everything(stack.sandbox))
          .filter(({ metadata }) => metadata.namespace === "dan")
          .map((object) => `${nameOf(object)} ${object.metadata.resourceVersion}`)
          .sort();
      const untouched = await objects();
      assertSays(untouched.join("\n"), ["Ingress dan/traefik ", "Middleware dan/401-dan ", "RoleBinding dan/"]);
      for (const [method, path, body] of [
        ["PATCH", `${ingresses("dan")}/traefik`, metadata("traefik", { annotations: null })],
        ["DELETE", `${ingresses("dan")}/traefik`, undefined],
        // A second path without it, at home or beside the controller.
        ["POST", ingresses("dan"), open],
        ["POST", ingresses("traefik"), open],
        // Another or nobody is asked.
        ["PATCH", `${own("dan")}/401-dan`, { spec: { forwardAuth: { address: "http://x/" } } }],
        ["PATCH", `${own("dan")}/403-dan`, { spec: { forwardAuth: null } }],
        ["DELETE", `${own("dan")}/401-dan`, undefined],
        ["POST", own("dan"), { ...metadata("401-dan"), spec: { stripPrefix: {} } }],
        ["POST", "/apis/traefik.io/v1alpha1/namespaces/dan/ingressroutes", metadata("open")],
      ] as const) {
        const type = method === "PATCH" ? "application/merge-patch+json" : undefined;
        const answer = await me.ask(method, path, body, type);
        assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(answer.body)}`);
        assert.match(JSON.stringify(answer.body), /User \\"oidc:dan@example\.org\\" cannot/);
      }
      assert.deepEqual(await objects(), untouched);
    });

    it("takes the login away with its setting, from the Ingress first", async () => {
      const { login: _, ...without } = traefik;
      await stack.configure(all, { route: without });
      assert.deepEqual(dans(await stack.upFine()), [
        ingressUpdate("dan", "traefik"),
        middleware("delete", "allow"),
        middleware("delete", "login"),
      ]);
      assert.deepEqual(await stack.sandbox.names("middleware", { namespace: "dan" }), []);
    });
  });
});
