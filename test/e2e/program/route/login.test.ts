import assert from "node:assert/strict";
import type { V1Ingress } from "@kubernetes/client-node";
import { installMiddlewares } from "../../support/definitions/traefik.ts";
import { assertSays, refusedInProcess, warningsOf } from "../inProcess.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { makeNamespace, served } from "../workloads.ts";

const dan: Entry = { member: "dan", type: "admin", subject: "dan@example.org" };
const eve: Entry = { member: "eve", type: "user", subject: "eve@example.org" };

const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
const host = "{member}.camp.test";
const login = { kind: "oauth2-proxy", url, signIn: "https://camp.test/oauth2/start", allow: ["staff"] };
const nginx = { host, login };
const traefik = { host, controller: "traefik", login: { kind: "oauth2-proxy", url, allow: "member" } };
const headers = ["User", "Email", "Groups", "Preferred-Username"].map((what) => `X-Auth-Request-${what}`);
const auth = "nginx.ingress.kubernetes.io/auth";
const asked = {
  [`${auth}-url`]: `${url}/oauth2/auth?allowed_groups=staff`,
  [`${auth}-signin`]: "https://camp.test/oauth2/start",
  [`${auth}-response-headers`]: headers.join(),
};
const middlewares = "traefik.ingress.kubernetes.io/router.middlewares";
const ingressUpdate = (member: string) => `update kubernetes:networking.k8s.io/v1:Ingress ${member}/route/ingress`;
const middleware = (operation: string, part: string) =>
  `${operation} kubernetes:traefik.io/v1alpha1:Middleware dan/route/${part}`;

describe("a login before members' paths", () => {
  const stack = useStack("login");
  const annotations = async (namespace: string) =>
    Object.entries({ ...(await stack.sandbox.get<V1Ingress>("ingress", "dan", namespace)).metadata?.annotations });
  const annotate = (fields: Readonly<Record<string, string | null>>) =>
    stack.sandbox.patch("ingress", "dan", "ingress-nginx", { metadata: { annotations: fields } });
  const ofLogin = async (namespace: string) =>
    Object.fromEntries((await annotations(namespace)).filter(([key]) => /auth|router/.test(key)));
  /** Only dan's route, in the order in which the run finished its objects. */
  const steps = (run: Run) => run.steps.filter((step) => step.includes("dan/route/"));
  let forget = async () => undefined as unknown;

  before(async () => {
    await served(stack, "dan");
    await served(stack, "eve");
    await stack.configure([dan, eve], { route: { host } });
    await stack.upFine();
  });
  after(async () => {
    await forget();
    await stack.sandbox.remove("/api/v1/namespaces/traefik");
  });

  it("is added to open paths in place, by annotations of ingress-nginx", async () => {
    assert.deepEqual(await ofLogin("ingress-nginx"), {});
    await stack.configure([dan, eve], { route: nginx });
    const run = await stack.upFine();
    assert.deepEqual(steps(run), [ingressUpdate("dan")]);
    assert.doesNotMatch(run.output, /sharedLogin|which members share/);
    assert.deepEqual(await ofLogin("ingress-nginx"), asked);
  });

  it("is put back where somebody has taken it off by hand, without their ways around it", async () => {
    await annotate({
      [`${auth}-url`]: null,
      [`${auth}-response-headers`]: null,
      [`${auth}-snippet`]: "return 200;",
      "nginx.ingress.kubernetes.io/enable-global-auth": "false",
      "nginx.ingress.kubernetes.io/whitelist-source-range": "0.0.0.0/0",
    });
    const run = await stack.upFine();
    assert.match(run.output, /changedByHand.*(\n.*)*Ingress ingress-nginx\/dan/);
    // Of all steps: eve's Ingress, which nobody has touched, is left alone.
    assert.deepEqual(run.steps, [ingressUpdate("dan")]);
    const left = (await annotations("ingress-nginx")).filter(([key]) => key.startsWith("nginx."));
    assert.deepEqual(Object.fromEntries(left), asked);
  });

  it("is warned of on a host that members share", async () => {
    await stack.configure([dan, eve], { route: { ...nginx, host: "camp.test" } });
    assertSays(await warningsOf(stack), ["route.login: on camp.test, which members share, any member's page can read"]);
    await stack.configure([dan, eve], { route: nginx });
  });

  it("is refused with members who have no address, where a path is for its member alone", async () => {
    const { subject: _, ...nameless } = eve;
    await stack.configure([dan, nameless as Entry], { route: traefik });
    await refusedInProcess(stack, [
      /members\[1\]\.member: "eve" is no email address, and route\.login\.allow is member/,
    ]);
    assert.deepEqual(await ofLogin("ingress-nginx"), asked);
  });

  describe("at Traefik", () => {
    const specOf = async (name: string) =>
      (await stack.sandbox.get<{ readonly spec: object }>("middleware", name, "traefik")).spec;

    before(async () => {
      await makeNamespace(stack, "traefik");
      await stack.configure([dan, eve], { route: traefik });
    });

    it("is refused where the API server does not know Middlewares", async () => {
      await refusedInProcess(stack, [/it does not know the kind Middleware \(404\)/, /'limits' and 'login' take/]);
    });

    it("is there before the Ingress that refers to it", async () => {
      forget = await installMiddlewares(stack.sandbox);
      const run = await stack.upFine();
      const made = steps(run).filter((step) => !step.startsWith("delete"));
      const at = (part: string) => made.findIndex((step) => step.endsWith(`dan/route/${part}`));
      assert.ok(made.includes(middleware("create", "login")) && made.includes(middleware("create", "allow")));
      assert.ok(at("login") < at("allow") && at("allow") < at("ingress"), made.join("\n"));
      assert.deepEqual(await specOf("401-dan"), { forwardAuth: { address: `${url}/`, authResponseHeaders: headers } });
      const address = `${url}/oauth2/auth?allowed_emails=dan%40example.org`;
      assert.deepEqual(await specOf("403-dan"), { forwardAuth: { address, authResponseHeaders: headers } });
      assert.deepEqual(await ofLogin("traefik"), {
        [middlewares]: "traefik-401-dan@kubernetescrd,traefik-403-dan@kubernetescrd",
      });
    });

    it("is put back where it asks somebody else", async () => {
      const forwardAuth = { address: "http://elsewhere.example.org/" };
      await stack.sandbox.patch("middleware", "403-dan", "traefik", { spec: { forwardAuth } });
      const run = await stack.upFine();
      assert.match(run.output, /changedByHand.*(\n.*)*Middleware traefik\/403-dan/);
      // Of all steps: what nobody has touched is left alone.
      assert.deepEqual(run.steps, [middleware("update", "allow")]);
      assert.deepEqual(await specOf("403-dan"), {
        forwardAuth: {
          address: `${url}/oauth2/auth?allowed_emails=dan%40example.org`,
          authResponseHeaders: headers,
        },
      });
    });

    it("goes with the setting, the Ingress first", async () => {
      const { login: _, ...without } = traefik;
      await stack.configure([dan, eve], { route: without });
      assert.deepEqual(steps(await stack.upFine()), [
        ingressUpdate("dan"),
        middleware("delete", "allow"),
        middleware("delete", "login"),
      ]);
      assert.deepEqual(await stack.sandbox.names("middleware", { namespace: "traefik" }), []);
    });
  });
});
