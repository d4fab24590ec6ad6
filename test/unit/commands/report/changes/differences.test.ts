import assert from "node:assert/strict";
import { differenceText } from "../../../../../objects/shown/differences.ts";
import { ca } from "../../../certificates.ts";
import { reportOfEdit, reportOn, urn } from "../previews.ts";

/** The lines of what changes for bob, whose entry or stack is edited. */
async function linesOf(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  settings: readonly [Record<string, unknown>, Record<string, unknown>] = [{}, {}],
  open: readonly [readonly string[], readonly string[]] = [[], []],
): Promise<string[]> {
  const entry = { member: "bob", type: "user" };
  const { changing, joining, leaving } = await reportOfEdit({
    before: { ...settings[0], members: [{ ...entry, ...before }] },
    after: { ...settings[1], members: [{ ...entry, ...after }] },
    open,
  });
  assert.deepEqual([joining, leaving], [[], []]);
  return changing.flatMap(({ member, differences }) => differences.map((one) => `${member}: ${differenceText(one)}`));
}

/** The same of edited settings, where bob's path is open. */
const routed = (...settings: readonly [Record<string, unknown>, Record<string, unknown>]) =>
  linesOf({}, {}, settings, [["bob"], ["bob"]]);

describe("what changes for a member", () => {
  for (const [what, before, after, lines] of [
    [
      "all limits",
      {},
      {
        ...{ maxCPUm: 1500, maxMemoryMiB: 1536, numOfPVCs: 7, maxPVCSizeMiB: 2048, maxPods: 60, maxObjects: 200 },
        ...{ maxEphemeralStorageMiB: 20_480, defaultEphemeralStorageMiB: 512 },
      },
      [
        ...["CPU 500m → 1.5", "memory 500 MiB → 1.5 GiB", "ephemeral storage 10000 MiB → 20 GiB", "PVCs 5 → 7"],
        ...["storage of all PVCs 5000 MiB → 14 GiB", "pods 50 → 60", "objects of each kind 100 → 200"],
        ...["ephemeral storage of a container that states none 1000 MiB → 512 MiB", "largest PVC 1000 MiB → 2 GiB"],
      ],
    ],
    ["one CPU", { maxCPUm: 1000 }, { maxCPUm: 250 }, ["CPU 1 → 250m"]],
    ["pods", {}, { maxPods: 60 }, ["pods 50 → 60", "pods, with finished ones 1050 → 1060"]],
    ["the type", {}, { type: "guest-user" }, ["type user → guest-user", "role elsewhere view → view-guest"]],
    [
      "a type without a quota",
      {},
      { type: "admin" },
      [
        "type user → admin",
        "quota CPU 500m, memory 500 MiB, pods 50, PVCs 5, storage of all PVCs 5000 MiB → none",
        "least CPU that a container states 10m → none",
        "least memory that a container states 1 MiB → none",
      ],
    ],
    [
      "suspension",
      {},
      { suspended: true },
      ["suspended", "access at home edit → none", "role elsewhere view → none", "pods 50 → 0", "Jobs 100 → 0"],
    ],
    [
      "the end of a suspension, with other limits",
      { suspended: true },
      { maxObjects: 200 },
      [
        ...["active again", "access at home none → edit", "role elsewhere none → view"],
        ...["pods 0 → 50", "Jobs 0 → 200", "objects of each kind 100 → 200"],
      ],
    ],
    [
      "what the entry says besides",
      { images: ["nginx", "redis"] },
      {
        ...{ images: ["nginx", "caddy:2.*"], expires: "2099-01-31", protect: true, route: false, others: "none" },
        ...{ podSecurity: "restricted", priorityClasses: ["high"], starter: "once" },
      },
      [
        ...["last day none → 2099-01-31", "public path yes → none", "protected no → yes"],
        ...["Pod Security baseline → restricted", "images: + caddy:2.*, + docker.io/library/caddy:2, − redis"],
        ...["PriorityClasses: + high", "role elsewhere view → none", "starter app none → once"],
      ],
    ],
    [
      "what the path requires",
      {},
      { route: { readiness: { requires: "endpoints" } } },
      ["public path yes → port 80, requires endpoints"],
    ],
    [
      "devices",
      { devices: { "nvidia.com/gpu": 1 } },
      { devices: { "nvidia.com/gpu": 2, "gpu.example.com": 1 } },
      [
        "devices that pods may ask for nvidia.com/gpu → gpu.example.com, nvidia.com/gpu",
        ...["ResourceClaims none → 100", "ResourceClaimTemplates none → 100"],
        ...["device nvidia.com/gpu 1 → 2", "device gpu.example.com none → 1"],
        "rights: + get,list,watch,create,update,patch,delete,deletecollection resourceclaims,resourceclaimtemplates (resource.k8s.io)",
      ],
    ],
    [
      "storage by class",
      { storage: { fast: "10Gi" }, maxPVCSizeMiB: 10_240 },
      { storage: { fast: "20Gi", bulk: 0 }, maxPVCSizeMiB: 10_240 },
      [
        "storage of all PVCs 10 GiB → 20 GiB",
        "storage of class fast 10 GiB → 20 GiB",
        "storage of class bulk none → 0 MiB",
      ],
    ],
    [
      "where and how pods run",
      {},
      {
        runtimeClasses: { allowed: ["gvisor", "kata"], default: "kata" },
        pool: { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated", value: "gpu" }] },
        userNamespaces: "required",
      },
      [
        "RuntimeClasses of pods any → gvisor, kata",
        "default RuntimeClass none → kata",
        "pool none → pool=gpu dedicated=gpu",
        "user namespaces none → required",
      ],
    ],
    [
      "subject and groups",
      { groups: ["red"] },
      { groups: ["blue"], subject: "bob@example.org" },
      ["user names: + oidc:bob@example.org, + group oidc:blue, − oidc:bob, − group oidc:red"],
    ],
    [
      "ways through the network",
      { network: { egress: [{ cidr: "10.1.2.0/24", ports: [22] }] } },
      {
        network: {
          internet: false,
          egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }],
          ingress: [{ namespace: "monitoring" }],
        },
      },
      [
        "network, in: + namespace monitoring",
        "network, out: + namespace databases (app=postgres), port 5432/TCP, − the internet, − 10.1.2.0/24, port 22/TCP",
      ],
    ],
  ] as const) {
    it(`reports a member's changes in people's units: ${what}`, async () => {
      assert.deepEqual(
        await linesOf(before, after),
        lines.map((line) => `bob: ${line}`),
      );
    });
  }

  it("reports changed CI jobs by their names at the API server", async () => {
    const stack = { ci: { audience: "https://k8s.example.org" } };
    const of = (ref: string) => ({ ci: [{ issuer: "github", repository: "bob/site", ref }] });
    const [main, dev] = [of("refs/heads/main"), of("refs/heads/dev")];
    const reported = (before: Record<string, unknown>, after: Record<string, unknown>) =>
      linesOf(before, after, [stack, stack]);
    const name = "github:repo:bob/site:ref:refs/heads/main";
    assert.deepEqual(await reported(main, {}), [`bob: CI jobs ${name} → none`]);
    assert.deepEqual(await reported(main, dev), [
      `bob: user names: + github:repo:bob/site:ref:refs/heads/dev, − ${name}`,
    ]);
    assert.deepEqual(await reported(main, { ci: [...main.ci, { token: true }] }), [
      "bob: user names: + serviceaccount kubecamp-ci",
      "bob: tokens for CI jobs none → on request, for an hour",
    ]);
  });

  it("reports the labels that the cluster has by their keys, and no others", async () => {
    const both = { labels: { course: "cs101", "a.b-c": "x", room: "r1" } };
    const other = { labels: { course: "cs102", room: "r2" } };
    const shown = { labels: { course: { onCluster: true }, "a.b-c": { onCluster: true }, room: { onCluster: false } } };
    assert.deepEqual(await linesOf(both, other, [shown, shown]), [
      "bob: label a.b-c x → none",
      "bob: label course cs101 → cs102",
    ]);
    assert.deepEqual(await linesOf(both, both, [{}, { labels: { course: { onCluster: true } } }]), [
      "bob: label course none → cs101",
    ]);
    assert.deepEqual(await linesOf(both, other), []);
  });

  it("reports no change of the kept entry, which changes with what is reported", async () => {
    const grace = { offboarding: { graceDays: 30 } };
    const storage = { endpoint: "https://s3.example.org", accessKeyId: "admin", secretAccessKey: "x" };
    const archive = { offboarding: { graceDays: 30, archive: { bucket: "kept" } }, storage };
    assert.deepEqual(await linesOf({}, {}, [{}, grace]), []);
    assert.deepEqual(await linesOf({}, {}, [{ ...grace, storage }, archive]), []);
    assert.deepEqual(await linesOf({}, { maxCPUm: 1500 }, [grace, grace]), ["bob: CPU 500m → 1.5"]);
  });

  it("reports a starter app's changes by the settings' names", async () => {
    const page = { "index.md": "# A page that is too long to be told", "gone.md": "x" };
    const before = { starter: { mode: "kept", pages: page } };
    const after = {
      starter: {
        ...{ mode: "kept", image: "docker.io/library/caddy:2.11", replicas: 2, cpuMillicores: 20 },
        pages: { "index.md": "# Another", "more.md": "y" },
      },
    };
    assert.deepEqual(await linesOf({}, {}, [before, after]), [
      "bob: starter app's pods 1 → 2",
      "bob: starter app's image docker.io/library/caddy:2 → docker.io/library/caddy:2.11",
      "bob: starter app's CPU 50m → 20m",
      "bob: starter page gone.md there → none",
      "bob: starter page index.md changes, which is not shown",
      "bob: starter page more.md none → there",
    ]);
  });
});

describe("what changes of the login before a path", () => {
  const url = "http://proxy.login.svc.cluster.local:4180";
  const signIn = "https://camp.example.org/oauth2/start";
  const nginx = (more?: object) => ({ ...(more && { login: { kind: "oauth2-proxy", url, signIn, ...more } }) });
  const traefik = (more?: object) => ({
    controller: "traefik",
    place: "controller",
    ...(more && { login: { kind: "oauth2-proxy", url, ...more } }),
  });
  const gateway = (more?: object) => ({
    ...{ kind: "gateway", gateway: { name: "public", namespace: "gateways" } },
    ...(more && { login: { kind: "oauth2-proxy", url, ...more } }),
  });
  const reported = async (before: object, after: object) => {
    const at = (route: object) => ({ route: { host: "camp.example.org", ...route } });
    const lines = await routed(at(before), at(after));
    return lines.filter((line) => /login|sign|auth-|extAuth/.test(line));
  };
  const staff = { allow: ["staff"] };
  const comes = "bob: login before the path none → http://proxy.login.svc:4180";
  const goes = "bob: login before the path http://proxy.login.svc:4180 → none";
  const widens = "bob: whom the login lets in staff → everyone";

  it("reports a changed login before a path in equal words for each controller", async () => {
    for (const route of [nginx, traefik]) {
      assert.deepEqual(await reported(route(), route({})), [comes]);
      assert.deepEqual(await reported(route({}), route(staff)), ["bob: whom the login lets in everyone → staff"]);
      assert.deepEqual(await reported(route(staff), route({})), [widens]);
      const moved = "bob: login before the path http://proxy.login.svc:4180 → https://login.example.org";
      assert.deepEqual(await reported(route(staff), route({ ...staff, url: "https://login.example.org" })), [moved]);
      assert.deepEqual(await reported(route(staff), { ...route(staff), rewrite: "strip" }), []);
    }
  });

  it("reports a changed login of a Gateway in the same words", async () => {
    const refusing = "bob: rule of the path: + /bob to nobody, with a visitor's own headers about who signed in";
    assert.deepEqual((await reported(gateway(), gateway({}))).sort(), [comes, refusing]);
    assert.deepEqual(await reported(gateway({}), gateway(staff)), ["bob: whom the login lets in everyone → staff"]);
    assert.deepEqual(await reported(gateway(staff), gateway({})), [widens]);
    const other = { ...staff, url: "http://other.login.svc.cluster.local" };
    assert.deepEqual(await reported(gateway(staff), gateway(other)), [
      "bob: login before the path http://proxy.login.svc:4180 → http://other.login.svc",
    ]);
    assert.deepEqual(await reported(gateway(staff), { ...gateway(staff), path: "/people/{member}" }), []);
  });

  it("reports another controller for a path's login, and one without any login", async () => {
    assert.deepEqual(await reported(nginx(staff), traefik(staff)), []);
    assert.deepEqual(await reported(traefik(staff), gateway(staff)), []);
    assert.deepEqual((await reported(traefik(staff), { controller: "haproxy" })).sort(), [goes, widens]);
  });
});

describe("what changes with a second server of a path", () => {
  const host = "camp.example.org";
  const url = "http://proxy.login.svc.cluster.local:4180";
  const login = { kind: "oauth2-proxy", url, signIn: "https://camp.example.org/oauth2/start", allow: ["staff"] };
  const limits = { bodyMiB: 10 };
  const nginx = { host, controller: "ingress-nginx", rewrite: "strip", limits };
  const traefik = { ...nginx, controller: "traefik" };
  const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
  /** Without the isolation, which lets the pods of both in, and the right to see HTTPRoutes. */
  const reported = async (before: object, after: object) =>
    (await routed({ route: before }, { route: after })).filter((line) => !/^bob: (network, in|rights): /.test(line));
  const serves = (what: string, change: string) => {
    const text = change === "comes" ? `none → ${what}` : `${what} → none`;
    return `bob: also serves the path ${text}`;
  };

  it("reports that it comes and goes, and no login, limit or rewrite that stays as it is", async () => {
    const both = { ...nginx, also: { controller: "traefik" } };
    assert.deepEqual(await reported(nginx, both), [serves("Ingress of class traefik", "comes")]);
    assert.deepEqual(await reported(both, traefik), [serves("Ingress of class nginx", "goes")]);
    const { signIn: _, ...own } = login;
    const bothAsk = { ...both, login };
    assert.deepEqual(await reported({ ...nginx, login }, bothAsk), [serves("Ingress of class traefik", "comes")]);
    assert.deepEqual(await reported(bothAsk, { ...traefik, login: own }), [serves("Ingress of class nginx", "goes")]);
    const { limits: __, ...unlimited } = traefik;
    const byBoth = { ...unlimited, also: gateway };
    assert.deepEqual(await reported(unlimited, byBoth), [serves("HTTPRoute", "comes")]);
    assert.deepEqual(await reported(byBoth, unlimited), [serves("HTTPRoute", "goes")]);
  });

  it("reports a login that changes in the same run", async () => {
    const both = { ...nginx, also: { controller: "traefik" } };
    const everybody = { ...login, allow: "members" };
    assert.deepEqual(await reported({ ...nginx, login }, { ...both, login: everybody }), [
      serves("Ingress of class traefik", "comes"),
      "bob: whom the login lets in staff → everyone",
    ]);
  });
});

describe("what changes of the limits on a route's requests", () => {
  const [less, more] = [
    { bodyMiB: 10, timeoutSeconds: 60 },
    { bodyMiB: 20, timeoutSeconds: 90 },
  ];
  const timeout = { timeoutSeconds: 90 };
  const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
  for (const [whose, route, before, after, lines] of [
    ["of nginx", {}, less, more, ["largest request 10m → 20m", "time to answer 60 → 90"]],
    [
      "of Traefik",
      { controller: "traefik", place: "controller" },
      less,
      more,
      ["largest request, in bytes 10485760 → 20971520", "time to answer 60s → 90s"],
    ],
    [
      "of Contour",
      { controller: "contour", place: "controller" },
      {},
      { ...timeout, websockets: true },
      ["time to answer none → 90s", "WebSockets for none → /bob"],
    ],
    ["of HAProxy", { controller: "haproxy" }, {}, timeout, ["time to answer none → 90s"]],
    ["of a Gateway", gateway, {}, timeout, ["rule of the path: + /bob to port 80, in 90s, − /bob to port 80"]],
  ] as const) {
    it(`reports changed limits on requests in words, ${whose}`, async () => {
      const at = (limits: object) => ({ route: { host: "camp.example.org", ...route, limits } });
      assert.deepEqual(
        await routed(at(before), at(after)),
        lines.map((line) => `bob: ${line}`),
      );
    });
  }
});

describe("what changes of a route that becomes another kind of route", () => {
  const verified = { backendProtocol: "HTTPS", backendTls: { ca, serverName: "{member}.camp.internal" } };
  const kinds = {
    nginx: {},
    traefik: { controller: "traefik", place: "controller" },
    haproxy: { controller: "haproxy" },
    contour: { controller: "contour", place: "controller" },
    gateway: { kind: "gateway", namespace: "gateways", gateway: { name: "public" } },
  };
  const reported = async (before: object, after: object) => {
    const at = (route: object) => ({ route: { host: "camp.example.org", ...route } });
    const lines = await routed(at(before), at(after));
    return lines.filter((line) => /^bob: (how its Service|prefix of|largest|time to)/.test(line));
  };
  const reached = (from: string, to: string) => [`bob: how its Service is reached ${from} → ${to}`];
  const checked = "HTTPS, with the certificate checked for bob.camp.internal";
  const unchecked = "HTTPS, with no certificate checked";

  it("reports of another kind of route an unchecked certificate, and TLS that ends", async () => {
    const { nginx, traefik, haproxy, gateway } = kinds;
    const https = { backendProtocol: "HTTPS" };
    assert.deepEqual(await reported({ ...nginx, ...verified }, gateway), reached(checked, "HTTP"));
    assert.deepEqual(await reported({ ...gateway, ...verified }, { ...nginx, ...https }), reached(checked, unchecked));
    assert.deepEqual(await reported({ ...traefik, ...verified }, gateway), reached(checked, "HTTP"));
    assert.deepEqual(await reported({ ...haproxy, ...https }, gateway), reached(unchecked, "HTTP"));
    const one = { namespace: "routers" };
    const { serverName: _, ...backendTls } = verified.backendTls;
    const byCa = { ...haproxy, ...one, ...https, backendTls };
    assert.deepEqual(
      await reported({ ...nginx, ...one, ...verified }, byCa),
      reached(checked, "HTTPS, with the certificate checked for any name"),
    );
  });

  it("reports a limit on requests that another kind of route lacks", async () => {
    const { nginx, traefik, haproxy, contour, gateway } = kinds;
    const of = (limits: { readonly bodyMiB?: number; readonly timeoutSeconds?: number }) => ({ limits });
    assert.deepEqual(
      await reported(
        { ...traefik, ...of({ bodyMiB: 10, timeoutSeconds: 60 }) },
        { ...haproxy, ...of({ timeoutSeconds: 30 }) },
      ),
      ["bob: largest request 10 MiB → none", "bob: time to answer 60 s → 30 s"],
    );
    const timeout = of({ timeoutSeconds: 60 });
    assert.deepEqual(await reported({ ...contour, ...timeout }, { ...gateway, ...timeout }), []);
    assert.deepEqual(await reported({ ...gateway, ...timeout }, { ...nginx, ...of({ bodyMiB: 5 }) }), [
      "bob: largest request none → 5 MiB",
      "bob: time to answer 60 s → none",
    ]);
  });

  it("reports nothing of another kind of route that checks as much", async () => {
    const all = { ...verified, rewrite: "strip" };
    const { nginx, gateway } = kinds;
    assert.deepEqual(await reported({ ...nginx, ...all }, { ...gateway, ...all }), []);
  });

  it("reports a login or a limit that goes with an Ingress which another kind replaces", () => {
    const annotations = {
      "nginx.ingress.kubernetes.io/auth-url": "https://login.example.org",
      "nginx.ingress.kubernetes.io/auth-type": "basic",
      "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS",
      "kubecamp.dev/url": "https://camp.example.org/bob/",
    };
    const [door, other] = [
      urn("kubernetes:networking.k8s.io/v1:Ingress", "bob/route/ingress"),
      urn("kubernetes:gateway.networking.k8s.io/v1:HTTPRoute", "bob/route/http"),
    ];
    const { changing } = reportOn([
      { op: "delete", urn: door, old: { inputs: { kind: "Ingress", metadata: { annotations } } } },
      { op: "create", urn: other, new: { inputs: { kind: "HTTPRoute", metadata: { annotations: {} } } } },
    ]);
    assert.deepEqual(changing[0]?.differences.map(differenceText), [
      "how its Service is reached HTTPS, with no certificate checked → HTTP",
      'Ingress metadata.annotations["nginx.ingress.kubernetes.io/auth-type"] basic → none',
      "login before the path https://login.example.org → none",
    ]);
  });
});

describe("what changes of a certificate at a Gateway", () => {
  it("reports the certificate of a member's host, and who issues it", async () => {
    const at = (more: object) => ({
      route: { host: "{member}.x.org", kind: "gateway", gateway: { name: "public", namespace: "edge" }, ...more },
    });
    const [camp, lab] = [at({ tls: { issuer: "camp" } }), at({ tls: { issuer: "lab" } })];
    assert.deepEqual(await routed(camp, lab), ["bob: issuer of the certificate camp → lab"]);
    assert.deepEqual(await routed(camp, at({ tls: { secretName: "wildcard" } })), [
      "bob: issuer of the certificate camp → none",
      "bob: certificate of the host: + bob.x.org by Secret wildcard, − bob.x.org by Secret bob.x.org-tls",
    ]);
  });
});

describe("what changes of a route that moves, beside its address", () => {
  it("reports of a moved route, beside its address, only a switched rewrite", async () => {
    const at = (path: string, rewrite: object) => ({
      route: {
        host: "camp.example.org",
        path: `${path}/{member}`,
        controller: "traefik",
        place: "controller",
        ...rewrite,
      },
    });
    const moved = (before: object, after: object) => routed(at("/old", before), at("/new.er", after));
    const strip = { rewrite: "strip" };
    assert.deepEqual(await moved(strip, strip), []);
    const lines = await moved(strip, {});
    assert.ok(
      lines.some((line) => line.startsWith("bob: Middleware traefik/bob there → none")),
      lines.join("\n"),
    );
  });
});
