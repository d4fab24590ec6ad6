import assert from "node:assert/strict";
import { reportOf } from "../../../../../commands/report/build.ts";
import { shownDifferences } from "../../../../../commands/report/changes/differences.ts";
import { differenceText } from "../../../../../commands/report/print/words.ts";
import { ca } from "../../../certificates.ts";
import { atOnce } from "../../../samples.ts";
import { preview, reportOfEdit, urn } from "../previews.ts";

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

describe("what changes for a member", () => {
  for (const [what, before, after, lines] of [
    ["CPU", {}, { maxCPUm: 1500 }, ["CPU 500m → 1.5"]],
    ["one CPU", { maxCPUm: 1000 }, { maxCPUm: 250 }, ["CPU 1 → 250m"]],
    ["memory", {}, { maxMemoryMiB: 1536 }, ["memory 500 MiB → 1.5 GiB"]],
    ["PVCs", {}, { numOfPVCs: 7 }, ["PVCs 5 → 7", "storage of all PVCs 5000 MiB → 7000 MiB"]],
    [
      "their size",
      {},
      { maxPVCSizeMiB: 2048 },
      ["storage of all PVCs 5000 MiB → 10 GiB", "largest PVC 1000 MiB → 2 GiB"],
    ],
    ["pods", {}, { maxPods: 60 }, ["pods 50 → 60", "pods, with finished ones 1050 → 1060"]],
    ["objects", {}, { maxObjects: 200 }, ["objects of each kind 100 → 200"]],
    ["both", {}, { maxObjects: 200, maxPods: 60 }, ["pods 50 → 60", "objects of each kind 100 → 200"]],
    [
      "what is written",
      {},
      { maxEphemeralStorageMiB: 20_480, defaultEphemeralStorageMiB: 512 },
      ["ephemeral storage 10000 MiB → 20 GiB", "ephemeral storage of a container that states none 1000 MiB → 512 MiB"],
    ],
    [
      "what containers get",
      {},
      { defaultCPUm: 200, defaultMemoryMiB: 128 },
      ["CPU of a container that states none 100m → 200m", "memory of a container that states none 100 MiB → 128 MiB"],
    ],
    ["the type", {}, { type: "guest-user" }, ["type user → guest-user", "view of others view → view-guest"]],
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
    ["the role at home", {}, { home: "view" }, ["role at home edit → view"]],
    ["the view of others", {}, { others: "none" }, ["view of others view → none"]],
    [
      "suspension",
      {},
      { suspended: true },
      [
        "standing active → suspended",
        "access at home edit → none",
        "view of others view → none",
        "pods 50 → 0",
        "Jobs 100 → 0",
      ],
    ],
    [
      "its end",
      { suspended: true },
      {},
      [
        "standing suspended → active",
        "access at home none → edit",
        "view of others none → view",
        "pods 0 → 50",
        "Jobs 0 → 100",
      ],
    ],
    [
      "suspension, with other limits",
      {},
      { suspended: true, maxObjects: 200, maxPods: 60 },
      [
        ...["standing active → suspended", "access at home edit → none", "view of others view → none"],
        ...["pods 50 → 0", "Jobs 100 → 0", "objects of each kind 100 → 200"],
      ],
    ],
    ["the last day", { expires: "2099-01-31" }, { expires: "2099-02-28" }, ["last day 2099-01-31 → 2099-02-28"]],
    ["a last day", {}, { expires: "2099-01-31" }, ["last day none → 2099-01-31"]],
    ["protection", {}, { protect: true }, ["protected no → yes"]],
    ["no path", {}, { route: false }, ["public path yes → none"]],
    ["images", { images: ["nginx", "redis"] }, { images: ["nginx", "caddy:2.*"] }, ["images + caddy:2.*, − redis"]],
    ["a list of images", {}, { images: ["nginx"] }, ["images + nginx"]],
    ["Pod Security", {}, { podSecurity: "restricted" }, ["Pod Security baseline → restricted"]],
    ["PriorityClasses", {}, { priorityClasses: ["high"] }, ["PriorityClasses + high"]],
    [
      "devices",
      { devices: { "nvidia.com/gpu": 1 } },
      { devices: { "nvidia.com/gpu": 2, "gpu.example.com": 1 } },
      [
        "devices that pods may ask for nvidia.com/gpu → gpu.example.com, nvidia.com/gpu",
        ...["ResourceClaims none → 100", "ResourceClaimTemplates none → 100"],
        ...["device nvidia.com/gpu 1 → 2", "device gpu.example.com none → 1"],
        "rights + get,list,watch,create,update,patch,delete,deletecollection resourceclaims,resourceclaimtemplates (resource.k8s.io)",
      ],
    ],
    ["no devices", {}, { devices: {} }, ["devices that pods may ask for any → none at all"]],
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
      "who they are",
      { groups: ["red"] },
      { groups: ["blue"], subject: "bob@example.org" },
      ["opened to + oidc:bob@example.org, + group oidc:blue, − oidc:bob, − group oidc:red"],
    ],
    ["a starter app", {}, { starter: "once" }, ["starter app none → once"]],
    ["none any more", { starter: "kept" }, {}, ["starter app kept → none"]],
    ["no internet", {}, { network: { internet: false } }, ["network, out − the internet"]],
    [
      "ways through",
      { network: { egress: [{ cidr: "10.1.2.0/24", ports: [22] }] } },
      {
        network: {
          egress: [{ namespace: "databases", podLabels: { app: "postgres" }, ports: [5432] }],
          ingress: [{ namespace: "monitoring" }],
        },
      },
      [
        "network, in + namespace monitoring",
        "network, out + namespace databases (app=postgres), port 5432/TCP, − 10.1.2.0/24, port 22/TCP",
      ],
    ],
  ] as const) {
    it(`is told in people's units: ${what}`, async () => {
      assert.deepEqual(
        await linesOf(before, after),
        lines.map((line) => `bob: ${line}`),
      );
    });
  }

  it("is told of CI jobs, by their names at the API server", async () => {
    const stack = { ci: { audience: "https://k8s.example.org" } };
    const of = (ref: string) => ({ ci: [{ issuer: "github", repository: "bob/site", ref }] });
    const [main, dev] = [of("refs/heads/main"), of("refs/heads/dev")];
    const reported = (before: Record<string, unknown>, after: Record<string, unknown>) =>
      linesOf(before, after, [stack, stack]);
    const name = "github:repo:bob/site:ref:refs/heads/main";
    assert.deepEqual(await reported({}, main), [`bob: CI jobs none → ${name}`]);
    assert.deepEqual(await reported(main, {}), [`bob: CI jobs ${name} → none`]);
    assert.deepEqual(await reported(main, dev), [
      `bob: opened to + github:repo:bob/site:ref:refs/heads/dev, − ${name}`,
    ]);
    assert.deepEqual(await reported(main, { ci: [...main.ci, { token: true }] }), [
      "bob: opened to + serviceaccount kubecamp-ci",
      "bob: tokens for CI jobs none → on request, for an hour",
    ]);
  });

  it("is not told of the entry that is kept, which changes with what is told", async () => {
    const grace = { offboarding: { graceDays: 30 } };
    const storage = { endpoint: "https://s3.example.org", accessKeyId: "admin", secretAccessKey: "x" };
    const archive = { offboarding: { graceDays: 30, archive: { bucket: "kept" } }, storage };
    assert.deepEqual(await linesOf({}, {}, [{}, grace]), []);
    assert.deepEqual(await linesOf({}, {}, [{ ...grace, storage }, archive]), []);
    assert.deepEqual(await linesOf({}, { maxCPUm: 1500 }, [grace, grace]), ["bob: CPU 500m → 1.5"]);
  });

  it("is told of a starter app by what the settings call it", async () => {
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

  it("is told once of how all objects are deleted from now on", () => {
    const differences = ["Role", "RoleBinding"].flatMap((kind) =>
      shownDifferences({
        ...{ type: "", kind, paths: [] },
        before: { metadata: { name: "kubecamp-edit" } },
        after: { metadata: { name: "kubecamp-edit", annotations: atOnce } },
      }),
    );
    assert.deepEqual(differences.map(differenceText), Array(2).fill("how it is deleted none → background"));
  });

  it("is told by kind and path where it has no name", async () => {
    const traefik = { route: { host: "camp.example.org", controller: "traefik", className: "one" } };
    const other = { route: { ...traefik.route, className: "two", backendProtocol: "HTTPS" } };
    const lines = await linesOf({}, {}, [traefik, other], [["bob"], ["bob"]]);
    assert.ok(lines.includes("bob: Ingress class one → two"), lines.join("\n"));
    assert.ok(
      lines.some((line) => line.startsWith("bob: ServersTransport traefik/bob none → there")),
      lines.join("\n"),
    );
    assert.ok(
      lines.some((line) => line.startsWith('bob: Service spec.ports + {"name":"https","port":443')),
      lines.join("\n"),
    );
  });
});

describe("what changes of the login before a path", () => {
  const url = "http://proxy.login.svc.cluster.local:4180";
  const signIn = "https://camp.example.org/oauth2/start";
  const nginx = (more?: object) => ({ ...(more && { login: { kind: "oauth2-proxy", url, signIn, ...more } }) });
  const traefik = (more?: object) => ({
    controller: "traefik",
    ...(more && { login: { kind: "oauth2-proxy", url, ...more } }),
  });
  const reported = async (before: object, after: object) => {
    const at = (route: object) => ({ route: { host: "camp.example.org", ...route } });
    const lines = await linesOf({}, {}, [at(before), at(after)], [["bob"], ["bob"]]);
    return lines.filter((line) => /login|sign|auth-/.test(line));
  };
  const staff = { allow: ["staff"] };
  const comes = `bob: login before the path none → ${url}`;
  const goes = `bob: login before the path ${url} → none`;
  const narrows = "bob: whom the login lets in everyone → staff";
  const widens = "bob: whom the login lets in staff → everyone";

  it("is told in the same words for each controller", async () => {
    for (const route of [nginx, traefik]) {
      assert.deepEqual(await reported(route(), route({})), [comes]);
      assert.deepEqual(await reported(route({}), route()), [goes]);
      assert.deepEqual(await reported(route({}), route(staff)), [narrows]);
      assert.deepEqual(await reported(route(staff), route({})), [widens]);
      assert.deepEqual(await reported(route(staff), route({ allow: ["staff", "cs101"] })), [
        "bob: whom the login lets in staff → staff, cs101",
      ]);
      const moved = `bob: login before the path ${url} → https://login.example.org`;
      assert.deepEqual(await reported(route(staff), route({ ...staff, url: "https://login.example.org" })), [moved]);
      assert.deepEqual(await reported(route(staff), { ...route(staff), rewrite: "strip" }), []);
    }
  });

  it("is told where another controller asks for it, and where the next one does not", async () => {
    assert.deepEqual(await reported(nginx(staff), traefik(staff)), []);
    assert.deepEqual(await reported(traefik(staff), nginx(staff)), []);
    assert.deepEqual(await reported(nginx(staff), traefik({})), [widens]);
    assert.deepEqual((await reported(traefik(staff), { controller: "haproxy" })).sort(), [goes, widens]);
  });

  it("is told where it is only the page to sign in", async () => {
    const other = "https://login.example.org/oauth2/start";
    assert.deepEqual(await reported(nginx({}), nginx({ signIn: other })), [
      `bob: page to sign in ${signIn} → ${other}`,
    ]);
  });
});

describe("what changes of the limits on a route's requests", () => {
  const reported = async (route: object, before: object, after: object) => {
    const at = (limits: object) => ({ route: { host: "camp.example.org", ...route, limits } });
    return await linesOf({}, {}, [at(before), at(after)], [["bob"], ["bob"]]);
  };

  it("is told in words, by every controller", async () => {
    const [less, more] = [
      { bodyMiB: 10, timeoutSeconds: 60 },
      { bodyMiB: 20, timeoutSeconds: 90 },
    ];
    assert.deepEqual(await reported({}, less, more), ["bob: largest request 10m → 20m", "bob: time to answer 60 → 90"]);
    assert.deepEqual(await reported({ controller: "traefik" }, less, more), [
      "bob: largest request, in bytes 10485760 → 20971520",
      "bob: time to answer 60s → 90s",
    ]);
    const { bodyMiB: _, ...timeout } = more;
    assert.deepEqual(await reported({ controller: "contour" }, {}, { ...timeout, websockets: true }), [
      "bob: time to answer none → 90s",
      "bob: WebSockets for none → /bob",
    ]);
    assert.deepEqual(await reported({ controller: "haproxy" }, {}, timeout), ["bob: time to answer none → 90s"]);
    const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
    assert.deepEqual(await reported(gateway, {}, timeout), [
      "bob: rule of the path + /bob to port 80, in 90s, − /bob to port 80",
    ]);
  });
});

describe("what changes of a route that becomes another kind of route", () => {
  const verified = { backendProtocol: "HTTPS", backendTls: { ca, serverName: "{member}.camp.internal" } };
  const kinds = {
    nginx: {},
    traefik: { controller: "traefik" },
    haproxy: { controller: "haproxy" },
    contour: { controller: "contour" },
    gateway: { kind: "gateway", namespace: "gateways", gateway: { name: "public" } },
  };
  const reported = async (before: object, after: object) => {
    const [was, is] = [before, after].map((route) => ({ route: { host: "camp.example.org", ...route } }));
    const lines = await linesOf({}, {}, [was ?? {}, is ?? {}], [["bob"], ["bob"]]);
    return lines.filter((line) => /^bob: (how its Service|prefix of|largest|time to)/.test(line));
  };
  const reached = (from: string, to: string) => [`bob: how its Service is reached ${from} → ${to}`];
  const checked = "HTTPS, with the certificate checked for bob.camp.internal";
  const unchecked = "HTTPS, with no certificate checked";

  it("is a certificate that is not checked any more, and TLS that ends", async () => {
    const { nginx, traefik, haproxy, contour, gateway } = kinds;
    const https = { backendProtocol: "HTTPS" };
    assert.deepEqual(await reported({ ...nginx, ...verified }, gateway), reached(checked, "HTTP"));
    assert.deepEqual(await reported({ ...gateway, ...verified }, nginx), reached(checked, "HTTP"));
    assert.deepEqual(await reported({ ...gateway, ...verified }, { ...nginx, ...https }), reached(checked, unchecked));
    assert.deepEqual(
      await reported({ ...gateway, ...verified }, { ...traefik, ...https }),
      reached(checked, unchecked),
    );
    assert.deepEqual(await reported({ ...traefik, ...verified }, gateway), reached(checked, "HTTP"));
    assert.deepEqual(await reported({ ...haproxy, ...https }, gateway), reached(unchecked, "HTTP"));
    assert.deepEqual(await reported({ ...contour, ...https }, gateway), reached(unchecked, "HTTP"));
    const one = { namespace: "routers" };
    assert.deepEqual(
      await reported({ ...nginx, ...one, ...verified }, { ...traefik, ...one, ...https }),
      reached(checked, unchecked),
    );
    const { serverName: _, ...backendTls } = verified.backendTls;
    const byCa = { ...haproxy, ...one, ...https, backendTls };
    assert.deepEqual(
      await reported({ ...nginx, ...one, ...verified }, byCa),
      reached(checked, "HTTPS, with the certificate checked for any name"),
    );
  });

  it("is a limit on requests that the other kind has not", async () => {
    const { nginx, traefik, haproxy, contour, gateway } = kinds;
    const of = (bodyMiB?: number, timeoutSeconds?: number) => ({
      limits: { ...(bodyMiB && { bodyMiB }), ...(timeoutSeconds && { timeoutSeconds }) },
    });
    const told = async (before: object, after: object) => await reported({ ...before }, { ...after });
    assert.deepEqual(await told({ ...nginx, ...of(10, 60) }, { ...traefik, ...of(10, 60) }), []);
    assert.deepEqual(await told({ ...traefik, ...of(10, 60) }, { ...haproxy, ...of(undefined, 30) }), [
      "bob: largest request 10 MiB → none",
      "bob: time to answer 60 s → 30 s",
    ]);
    assert.deepEqual(await told({ ...contour, ...of(undefined, 60) }, { ...gateway, ...of(undefined, 60) }), []);
    assert.deepEqual(await told({ ...gateway, ...of(undefined, 60) }, { ...nginx, ...of(5) }), [
      "bob: largest request none → 5 MiB",
      "bob: time to answer 60 s → none",
    ]);
  });

  it("is a prefix that stays on the path, or goes", async () => {
    const strip = { rewrite: "strip" };
    for (const route of [kinds.nginx, kinds.traefik, kinds.haproxy]) {
      assert.deepEqual(await reported({ ...route, ...strip }, kinds.gateway), [
        "bob: prefix of the path taken off → kept",
      ]);
      assert.deepEqual(await reported(kinds.gateway, { ...route, ...strip }), [
        "bob: prefix of the path kept → taken off",
      ]);
    }
  });

  it("is nothing where the other kind sees to the same", async () => {
    const all = { ...verified, rewrite: "strip" };
    const { nginx, traefik, gateway } = kinds;
    assert.deepEqual(await reported({ ...nginx, ...all }, { ...gateway, ...all }), []);
    assert.deepEqual(await reported({ ...gateway, ...all }, { ...traefik, ...all }), []);
    assert.deepEqual(await reported({ ...traefik, ...all, namespace: "a" }, { ...nginx, ...all, namespace: "a" }), []);
    assert.deepEqual(await reported(nginx, { ...nginx, className: "other" }), []);
  });

  it("is a login or a limit that somebody had declared with what goes", () => {
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
    const { changing } = reportOf(
      preview([
        { op: "delete", urn: door, oldState: { inputs: { kind: "Ingress", metadata: { annotations } } } },
        { op: "create", urn: other, newState: { inputs: { kind: "HTTPRoute", metadata: { annotations: {} } } } },
      ]),
    );
    assert.deepEqual(changing[0]?.differences.map(differenceText), [
      "how its Service is reached HTTPS, with no certificate checked → HTTP",
      'Ingress metadata.annotations["nginx.ingress.kubernetes.io/auth-type"] basic → none',
      "login before the path https://login.example.org → none",
    ]);
  });
});

describe("what changes of a route that moves, beside its address", () => {
  const at = (path: string, more: object = {}) => ({
    route: { host: "camp.example.org", path: `${path}/{member}`, ...more },
  });
  const moved = (before: object, after: object) =>
    linesOf({}, {}, [at("/old", before), at("/new.er", after)], [["bob"], ["bob"]]);
  const verified = { backendProtocol: "HTTPS", backendTls: { ca, serverName: "{member}.camp.internal" } };

  for (const controller of ["ingress-nginx", "traefik", "haproxy"]) {
    it(`is nothing where only that changes: ${controller}`, async () => {
      assert.deepEqual(await moved({ controller }, { controller }), []);
      assert.deepEqual(await moved({ controller, rewrite: "strip" }, { controller, rewrite: "strip" }), []);
    });
  }

  it("is a rewrite that was switched", async () => {
    const lines = await moved({ rewrite: "strip" }, {});
    for (const line of [
      'bob: Ingress metadata.annotations["nginx.ingress.kubernetes.io/use-regex"] true → none',
      'bob: Ingress metadata.annotations["nginx.ingress.kubernetes.io/rewrite-target"] /$2 → none',
    ]) {
      assert.ok(lines.includes(line), lines.join("\n"));
    }
    const controller = "traefik";
    const traefik = await moved({ controller, rewrite: "strip" }, { controller });
    assert.ok(
      traefik.some((line) => line.startsWith("bob: Middleware traefik/bob there → none")),
      traefik.join("\n"),
    );
  });

  it("is a certificate that is not checked any more", async () => {
    const lines = await moved(verified, { backendProtocol: "HTTPS" });
    assert.ok(
      lines.includes('bob: Ingress metadata.annotations["nginx.ingress.kubernetes.io/proxy-ssl-verify"] on → none'),
      lines.join("\n"),
    );
  });
});
