import assert from "node:assert/strict";
import { askedText, letInText, letInUrl } from "../../../../objects/route/login.ts";
import { routeObjects } from "../../routeObjects.ts";
import { atOnce, bob, configuration, labelsOf, routeAt } from "../../samples.ts";

const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
const signIn = "https://apps.example.org/oauth2/start";
const headers = ["User", "Email", "Groups", "Preferred-Username"].map((what) => `X-Auth-Request-${what}`);

const settingsWith = (route: object, more: object = {}) =>
  configuration({ members: [], route: { host: "{member}.apps.example.org", ...route }, ...more }).settings;

/** Objects of bob's route, in their order. */
const made = (route: object, member = bob) =>
  routeObjects(member, routeAt("bob.apps.example.org", "/"), settingsWith(route));

const allowing = (allow: unknown) => ({ kind: "oauth2-proxy", url, ...(allow !== undefined && { allow }) });
const ofTraefik = (allow?: unknown) => ({ controller: "traefik", place: "controller", login: allowing(allow) });
const ofNginx = (allow?: unknown) => ({ login: { ...allowing(allow), signIn } });
/** A Middleware of Traefik's that asks at an address. */
const asking = (part: string, name: string, address: string) => ({
  ...{ part, apiVersion: "traefik.io/v1alpha1", kind: "Middleware" },
  metadata: { name, namespace: "traefik", labels: labelsOf("bob"), annotations: atOnce },
  spec: { forwardAuth: { address, authResponseHeaders: headers } },
});

const prefix = "nginx.ingress.kubernetes.io/auth";
const annotations = (route: object, member = bob) =>
  Object.fromEntries(
    Object.entries(made(route, member).at(-1)?.metadata.annotations ?? {}).filter(([key]) => /auth|router/.test(key)),
  );

describe("a login before a path", () => {
  it("asks for a login by ingress-nginx's annotations, with nothing that these don't take", () => {
    assert.deepEqual(annotations(ofNginx()), {
      [`${prefix}-url`]: `${url}/oauth2/auth`,
      [`${prefix}-signin`]: signIn,
      [`${prefix}-response-headers`]: headers.join(),
    });
    const groups = annotations(ofNginx(["staff", "/lab/a.b", "role:x_y~z"]))[`${prefix}-url`];
    assert.equal(groups, `${url}/oauth2/auth?allowed_groups=staff&allowed_groups=/lab/a.b&allowed_groups=role:x_y~z`);
    // As ingress-nginx checks it (URLWithNginxVariableRegex); it leaves an Ingress out that fails.
    assert.match(String(groups), /^[-._~a-zA-Z0-9/:?&=$]*$/);
  });

  it("asks for a login by a Middleware of Traefik's, before all others", () => {
    const [login, ...others] = made(ofTraefik());
    assert.deepEqual(login, asking("login", "401-bob", `${url}/`));
    const parts = others.map(({ part }) => part);
    assert.deepEqual(parts, ["service", "ingress"]);
    assert.deepEqual(annotations(ofTraefik()), {
      "traefik.ingress.kubernetes.io/router.middlewares": "traefik-401-bob@kubernetescrd",
    });
  });

  it("asks who is let in by a second Middleware of Traefik's", () => {
    const [, allow] = made(ofTraefik(["my staff", "a&b=c"]));
    const address = `${url}/oauth2/auth?allowed_groups=my%20staff&allowed_groups=a%26b%3Dc`;
    assert.deepEqual(allow, asking("allow", "403-bob", address));
    assert.deepEqual(annotations({ ...ofTraefik(["staff"]), limits: { bodyMiB: 1 } }), {
      "traefik.ingress.kubernetes.io/router.middlewares":
        "traefik-401-bob@kubernetescrd,traefik-403-bob@kubernetescrd,traefik-413-bob@kubernetescrd",
    });
  });

  it("lets in the member alone by the address they sign in with, without the API server's prefix", () => {
    const asked = (username: string, oidc: object) =>
      letInUrl({ username }, settingsWith(ofTraefik("member"), { oidc }));
    const query = "/oauth2/auth?allowed_emails=b%26b%2Bx%40example.org";
    assert.equal(asked("oidc:b&b+x@example.org", {}), url + query);
    assert.equal(asked("b&b+x@example.org", { usernamePrefix: "" }), url + query);
  });

  it("describes a login by the proxy that is asked, and by whom that lets in", () => {
    const asked = [
      `${url}/`,
      `${url}/oauth2/auth?allowed_groups=a`,
      "http://oauth2-proxy.login.svc:4180/?rd=https://x/",
    ];
    assert.deepEqual([...new Set(asked.map(askedText))], ["http://oauth2-proxy.login.svc:4180"]);
    assert.deepEqual(["http://x/ping", "$scheme://x"].map(askedText), ["http://x/ping", "$scheme://x"]);
    assert.equal(letInText(`${url}/oauth2/auth?allowed_groups=a%20b&allowed_groups=c`), "a b, c");
    assert.equal(letInText(`${url}/?rd=https://x/&allowed_emails=a@b`), "a@b");
    assert.deepEqual([`${url}/`, `${url}/?rd=https://x/`, "$scheme://x"].map(letInText), [
      undefined,
      undefined,
      undefined,
    ]);
  });
});
