import assert from "node:assert/strict";
import { sharedLogin } from "../../../../config/route/hosts.ts";
import { configuration, mistakes } from "../../samples.ts";

const host = "{member}.camp.example.org";
const url = "http://oauth2-proxy.login.svc.cluster.local:4180";
const signIn = "https://camp.example.org/oauth2/start";
const atApps = "https://apps.example.org/oauth2/start";
const login = (more: object = {}) => ({ kind: "oauth2-proxy", url, signIn, ...more });
const atTraefik = (more: object = {}) => ({ controller: "traefik", login: { kind: "oauth2-proxy", url, ...more } });

const atGateway = (more: object = {}) => ({
  ...{ kind: "gateway", namespace: "edge", gateway: { name: "public" } },
  login: { kind: "oauth2-proxy", url, ...more },
});

/** The lines that a stack with such a route is refused with. */
const reported = (route: object, members: object[] = []) => mistakes({ route: { host, ...route }, members });

describe("a stack's login", () => {
  for (const [what, route, ...lines] of [
    [
      "what HAProxy's controller can't ask",
      { controller: "haproxy", login: login() },
      'route.login.kind: "oauth2-proxy" is not supported by haproxy, which has no annotation for it; leave login out, or choose controller: traefik or ingress-nginx',
    ],
    [
      "what Contour asks for no Ingress",
      { controller: "contour", login: login() },
      'route.login.kind: "oauth2-proxy" is not supported by contour for an Ingress: only its HTTPProxy can ask an authorization server; leave login out, or choose controller: traefik or ingress-nginx',
    ],
    [
      "a page that a Gateway sends nobody to",
      { ...atGateway(), login: login() },
      `route.login.signIn: "${signIn}" is not for a Gateway: the proxy itself sends browsers to sign in; leave it out`,
    ],
    ...[
      "https://oauth2-proxy.login.svc.cluster.local",
      "http://oauth2-proxy.login.svc.corp.internal:4180",
      "http://oauth2-proxy.login:4180",
      "http://login.example.org",
      "http://svc",
    ].map(
      (other) =>
        [
          `an address that a Gateway's policy can't name: ${other}`,
          atGateway({ url: other }),
          `route.login.url: "${other}" is not a Service of this cluster over http, and a Gateway asks no other: set http://NAME.NAMESPACE.svc.cluster.local:PORT, or choose kind: ingress with controller traefik or ingress-nginx`,
        ] as const,
    ),
    [
      "nowhere to sign in, where the controller sends browsers itself",
      { login: { kind: "oauth2-proxy", url } },
      "route.login.signIn: is missing: ingress-nginx sends browsers there; set it, as https://apps.example.org/oauth2/start",
    ],
    [
      "a page that Traefik sends nobody to",
      atTraefik({ signIn }),
      `route.login.signIn: "${signIn}" is not for traefik: the proxy itself sends browsers to sign in; leave it out`,
    ],
    [
      "a path for one member, whose address ingress-nginx can't take",
      { login: login({ allow: "member" }) },
      "route.login.allow: \"member\" is not supported by ingress-nginx, which accepts no '@' in an address; choose controller: traefik, or a group",
    ],
    [
      "a group that ingress-nginx takes in no annotation",
      { login: login({ allow: ["staff", "my staff", "a$b"] }) },
      'route.login.allow[1]: "my staff" has a character that ingress-nginx does not accept in an address; use letters, digits and -._~/:',
      'route.login.allow[2]: "a$b" has a character that ingress-nginx does not accept in an address; use letters, digits and -._~/:',
    ],
    ["a list of nobody", atTraefik({ allow: [] }), "route.login.allow: [] must name a group, or be members or member"],
    [
      "addresses that are none, or have more than an address",
      { login: { kind: "basic", url: `${url}/oauth2`, signIn: "http://camp.example.org/?x=1", allow: "anybody" } },
      'route.login.kind: "basic" must be one of oauth2-proxy',
      `route.login.url: "${url}/oauth2" must be the proxy's address without a path, such as ${url}`,
      'route.login.signIn: "http://camp.example.org/?x=1" must be an https URL without a query, such as https://apps.example.org/oauth2/start',
      'route.login.allow: "anybody" must be members, member, or a list of groups',
    ],
  ] as const) {
    it(`refuses a login with ${what}`, () => {
      assert.deepEqual(reported(route), lines);
    });
  }

  it("takes a login that each controller can ask", () => {
    for (const route of [
      ...[{}, { allow: "members" }, { allow: ["staff", "/lab/a", "role:x"] }, { url: "https://login.example.org" }].map(
        (more) => ({ login: login(more) }),
      ),
      ...[{}, { allow: ["my staff", "räte"] }, { allow: "member" }].flatMap((more) => [
        atTraefik(more),
        atGateway(more),
      ]),
      ...["http://proxy.login.svc", "http://proxy.login.svc:80"].map((other) => atGateway({ url: other })),
    ]) {
      assert.deepEqual(reported(route), [], JSON.stringify(route));
    }
    const { login: _, ...also } = atGateway();
    const [line = ""] = reported({ ...atTraefik({ url: "https://login.example.org" }), also });
    assert.match(line, /^route\.login\.url: "https:\/\/login\.example\.org" is not a Service of this cluster/);
    assert.deepEqual(reported({ ...atTraefik(), also }), []);
    const elsewhere = { ...atGateway({ url: "http://proxy.login.svc.corp.internal" }), host };
    assert.deepEqual(mistakes({ route: elsewhere, cluster: { domain: "corp.internal" }, members: [] }), []);
  });

  it("keeps a login's own pages to itself: nobody's path is on them, or around them", () => {
    const route = { host: "apps.example.org", login: login({ signIn: atApps }) };
    const at = (member: string, own: object) => ({ member, type: "user", route: own });
    const members = [
      at("ada", { path: "/oauth2/callback" }),
      at("bob", { path: "/oauth2x" }),
      at("cyd", { host: "apps.example.org", path: "/oauth2/sign_in" }),
      at("dan", { host: "other.example.org", path: "/oauth2/callback" }),
    ];
    const rest = (name: string) =>
      `is where people sign in (route.login.signIn: ${atApps}), and a Service there could read what they send; choose another (member '${name}')`;
    assert.deepEqual(reported(route, members), [
      `members[0].route: "apps.example.org/oauth2/callback" ${rest("ada")}`,
      `members[2].route: "apps.example.org/oauth2/sign_in" ${rest("cyd")}`,
    ]);
  });

  it("keeps the pages of the board's login to themselves, too", () => {
    const board = { host: "board.example.org", admins: ["sue"], login: login({ signIn: atApps }) };
    const members = [{ member: "ada", type: "user", route: { path: "/oauth2/callback" } }];
    assert.deepEqual(mistakes({ route: { host: "apps.example.org" }, board, members }), [
      `members[0].route: "apps.example.org/oauth2/callback" is where people sign in (board.login.signIn: ${atApps}), and a Service there could read what they send; choose another (member 'ada')`,
    ]);
  });

  it("demands the address of each member whose path is for them alone", () => {
    const members = [
      { member: "ada", type: "user", subject: "ada@example.org" },
      { member: "bob", type: "user" },
      { member: "cyd", type: "user", subject: "cyd,eve@example.org" },
      { member: "dan", type: "user", route: false },
    ];
    const rest =
      "is no email address, and route.login.allow is member: set subject to the member's address, have route: false, or choose another allow";
    assert.deepEqual(reported(atTraefik({ allow: "member" }), members), [
      `members[1].member: "bob" ${rest}`,
      `members[2].subject: "cyd,eve@example.org" ${rest} (member 'cyd')`,
    ]);
    assert.deepEqual(reported(atTraefik(), members), []);
  });
});

describe("a login on a host that members share", () => {
  const [ada, bob] = ["ada", "bob"].map((member) => ({ member, type: "user", subject: `${member}@example.org` }));
  const warned = (route: object, ...members: unknown[]) => sharedLogin(configuration({ route, members }));
  const shared = { host: "camp.example.org" };

  it("warns of a login on a shared host, since one member's page reads another's", () => {
    assert.deepEqual(warned({ ...shared, login: login() }, ada, bob), {
      path: "route.login",
      message:
        "on camp.example.org, which members share, any member's page can read other members' pages as the visitor who has signed in; " +
        "give each a host, with {member} in route.host (docs/run/login.md)",
    });
  });

  it("warns of no login on a host for each, for one member, or with pages open to nobody else", () => {
    assert.equal(warned({ host, login: login() }, ada, bob), undefined);
    assert.equal(warned({ ...shared, login: login() }, ada, { ...bob, route: false }), undefined);
    assert.equal(warned({ ...shared, ...atTraefik({ allow: "member" }) }, ada, bob), undefined);
    assert.equal(warned(shared, ada, bob), undefined);
  });
});
