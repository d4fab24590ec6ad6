import fc from "fast-check";
import { objectKey, serviceKey } from "../../../../cluster/kinds/objectName.ts";
import { parseConfiguration } from "../../../../config/configuration.ts";
import { namespaceName, serviceName } from "../../../../config/names/names.ts";
import { fileKindNames, givenKinds } from "../../../../config/objects/givenKinds.ts";
import type { RouteFeature } from "../../../../config/route/controllers/controller.ts";
import { controllers, type IngressController } from "../../../../config/route/controllers.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { staffRoles } from "../../../../config/staff.ts";
import { when } from "../../../../config/values/maps.ts";
import { ca } from "../../certificates.ts";
import { liveService } from "../../cluster/liveService.ts";
import { storage as s3, today } from "../../samples.ts";
import { planOf } from "../planned.ts";
import { type JudgedStack, judgedStack } from "./judged.ts";

/** A route's driver: of an ingress controller, beside it where that can be, or of a Gateway. */
export type DriverName = IngressController | `${"contour" | "traefik"} at home` | "gateway";

/** Ways to set one thing; the last has the most. */
type Choice = readonly [object, ...(readonly object[])];

const oneOfEach = (choices: readonly Choice[]): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.tuple(...choices.map((choice) => fc.constantFrom(...choice))).map((all) => Object.assign({}, ...all));
const mostOfEach = (choices: readonly Choice[]): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...choices.map((choice) => choice.at(-1)));

const url = "http://proxy.login.svc.cluster.local:4180";

/** All that a driver can do. */
function routeChoices(driver: DriverName): Choice[] {
  const hosts: Choice = [{ host: "{member}.camp.example.org" }, { host: "camp.example.org" }];
  const tls = [{}, { backendProtocol: "HTTPS" }] as const;
  const verified = [...tls, { backendProtocol: "HTTPS", backendTls: { ca } }] as const;
  if (driver === "gateway") {
    const kind = { kind: "gateway", gateway: { name: "public", namespace: "gateways" } };
    const certificates: Choice = [{ tls: { secretName: "camp" } }, { tls: { clusterIssuer: "public" } }];
    const own = certificates.map((tls) => ({ ...hosts[0], ...tls }));
    return [
      ...[[kind], [...hosts, ...own], [{}, { rewrite: "strip" }], verified, [{}, { limits: { timeoutSeconds: 60 } }]],
      [
        {},
        ...[{}, { allow: "member" }, { allow: ["staff", "lab"] }].map((more) => ({
          login: { kind: "oauth2-proxy", url, ...more },
        })),
      ],
    ] as Choice[];
  }
  const controller = driver.replace(" at home", "") as IngressController;
  const { by, verifies, signsIn, places, byService = [] } = controllers[controller];
  const isHome = driver !== controller || !places.includes("controller");
  // Of a shared host, nobody has a certificate at home.
  const isShared = driver === "traefik at home";
  const takes = (feature: RouteFeature) => by[feature] !== undefined && !(isHome && byService.includes(feature));
  const limits = {
    ...(by.bodyMiB && { bodyMiB: 10 }),
    ...(takes("timeoutSeconds") && { timeoutSeconds: 60 }),
    ...(by.websockets && { websockets: true }),
  };
  const asked = { kind: "oauth2-proxy", url, ...(signsIn && { signIn: "https://camp.example.org/oauth2/start" }) };
  const allows = [{}, ...(signsIn ? [] : [{ allow: "member" }]), { allow: ["staff", "lab"] }];
  return [
    [{ controller, place: isHome ? "member" : "controller" }],
    isShared ? [{ host: "camp.example.org" }] : (hosts.slice(0, isHome ? 1 : 2) as [object]),
    by.strip === undefined ? [{}] : [{}, { rewrite: "strip" }],
    ...(takes("https") ? [verifies.length === 0 ? tls : verified] : []),
    [{}, ...when(!isHome, { tls: { secretName: "camp" } }), ...when(!isShared, { tls: { clusterIssuer: "public" } })],
    [{}, { limits }],
    by.login === undefined ? [{}] : [{}, ...allows.map((allow) => ({ login: { ...asked, ...allow } }))],
  ];
}

const exceptions = fc.constantFrom<object[]>(
  [],
  [{ cidr: "10.20.0.0/16", ports: [5432] }],
  [{ namespace: "monitoring", podLabels: { app: "prometheus" } }],
  [{ namespace: "shared", ports: ["53/UDP"] }, { cidr: "2001:db8::/32" }],
);
const access = { internet: fc.boolean(), egress: exceptions, ingress: exceptions };

/** Names that are parts of each other, and of names that kubecamp makes. */
const names = ["ann", "ann-svc", "svc-ann", "deb", "deb-ann", "strip-ann"];

const memberTypes = {
  lab: { home: "view", others: "none", quota: false, podSecurity: "restricted" },
  gpu: { devices: { "nvidia.com/gpu": 1, "gpu.example.com": 2 }, storage: { fast: "20Gi", bulk: 0 } },
  safe: {
    runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
    pool: { nodeSelector: { pool: "safe" }, tolerations: [{ key: "dedicated", value: "safe" }] },
    userNamespaces: "required",
  },
};

const entry = fc.record(
  {
    type: fc.constantFrom("admin", "user", "guest-user", ...Object.keys(memberTypes)),
    groups: fc.constantFrom([], ["lab"], ["lab", "class-a"]),
    suspended: fc.constantFrom(false, false, true),
    expires: fc.constantFrom("2020-01-01", "2999-12-31"),
    images: fc.constantFrom(["docker.io/library/*", "ghcr.io/example/*"]),
    route: fc.constantFrom<unknown>(false, ...["gate", "managed"].map((mode) => ({ readiness: { mode } }))),
    protect: fc.boolean(),
    starter: fc.constantFrom("off", "once", "kept"),
    network: fc.record(access, { requiredKeys: [] }),
    ci: fc.constantFrom<string[]>(["token"], ["job"], ["job", "token"]),
    buckets: fc.constantFrom([{ name: "data" }], [{ name: "data" }, { name: "site" }]),
    maxCPUm: fc.constantFrom(500, 64_000, 1_000_000_000),
    maxMemoryMiB: fc.constantFrom(500, 65_536, 1_000_000_000),
    numOfPVCs: fc.constantFrom(0, 20, 10_000),
    maxPVCSizeMiB: fc.constantFrom(1, 100_000, 100_000_000),
    maxPods: fc.constantFrom(10, 500, 1_000_000),
  },
  { requiredKeys: ["type"] },
);

interface Entry {
  readonly type: string;
  readonly ci?: readonly string[];
  readonly [field: string]: unknown;
}

/** Who only looks has no jobs, and jobs are one member's own. */
function entryOf({ ci = [], ...rest }: Entry, at: number) {
  const job = { issuer: "github", repository: `org/app-${at}`, ref: "refs/heads/main" };
  const jobs = rest.type === "lab" ? [] : ci.map((each) => (each === "job" ? job : { token: true }));
  return { ...rest, member: names[at], subject: `${names[at]}@example.org`, ...(jobs.length > 0 && { ci: jobs }) };
}

const template = {
  metadata: { labels: { app: "tutor" } },
  spec: { containers: [{ name: "tutor", image: "docker.io/library/nginx:1" }] },
};
const selector = { matchLabels: { app: "tutor" } };
const contents: Readonly<Record<string, object>> = {
  CronJob: {
    spec: {
      schedule: "0 4 * * *",
      jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
    },
  },
  Service: { spec: { selector: { app: "tutor" }, ports: [{ port: 80 }] } },
};
const file = (...kinds: readonly { readonly apiVersion: string; readonly kind: string }[]) => ({
  documents: kinds.map(({ apiVersion, kind }, line) => {
    const usual = kind === "ConfigMap" || kind === "Widget" ? {} : { spec: { selector, template } };
    return { value: { apiVersion, kind, metadata: { name: `tutor-\${member}` }, ...(contents[kind] ?? usual) }, line };
  }),
  mistakes: [],
});
const widget = { apiVersion: "example.org/v1", kind: "Widget" };
const files = new Map([
  ["tutor.yaml", file(...fileKindNames.map((kind) => ({ kind, apiVersion: givenKinds[kind].apiVersion })))],
  ["widget.yaml", file(widget)],
]);

/** A driver of buckets. */
export const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "b", bucketAccessClassName: "a" };

const tutor = { file: "tutor.yaml" };
const copy = { copy: "Secret platform/registry", imagePullSecret: true };

const featureChoices: readonly Choice[] = [
  [{}, { network: { internet: true, egress: [{ cidr: "10.30.0.0/16" }], nodeLocalDns: ["169.254.20.10"] } }],
  [{ storage: cosi }, { storage: s3 }],
  [
    {},
    {
      staff: staffRoles.flatMap((role): object[] =>
        role === "spawn"
          ? [{ serviceAccount: "hub/hub", role }]
          : [
              { group: `of-${role}`, role },
              { subject: role, role },
            ],
      ),
    },
  ],
  [
    {},
    { objects: [{ ...tutor, theirs: true }] },
    { objects: [tutor, { file: "widget.yaml" }], objectKinds: [widget] },
    { objects: [tutor, copy, { file: "widget.yaml" }], objectKinds: [{ ...widget, edit: true }] },
  ],
];

interface Raw {
  readonly route: Readonly<Record<string, unknown>>;
  readonly features: Readonly<Record<string, unknown>>;
  readonly entries: readonly Entry[];
}

const rawOf = ({ route, features, entries }: Raw): Readonly<Record<string, unknown>> => ({
  ...features,
  route,
  memberTypes,
  ci: { audience: "https://k8s.example.org" },
  // Nothing but an image of somebody's own can speak HTTPS.
  starter: "backendProtocol" in route ? { image: "ghcr.io/example/start:1" } : {},
  members: entries.map(entryOf),
});

/** Any stack with a driver. */
export const anyStack = (driver: DriverName): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc
    .record({
      route: oneOfEach(routeChoices(driver)),
      features: oneOfEach(featureChoices),
      entries: fc.array(entry, { minLength: 1, maxLength: names.length }),
    })
    .map(rawOf);

const managed = { route: { readiness: { mode: "managed" } } };

/** A stack with a driver that has all there is. */
export const fullStack = (driver: DriverName): Readonly<Record<string, unknown>> =>
  rawOf({
    route: mostOfEach(routeChoices(driver)),
    features: mostOfEach(featureChoices),
    entries: [
      { type: "user", groups: ["lab"], ci: ["job", "token"], buckets: [{ name: "data" }] },
      { type: "guest-user", starter: "kept" },
      { type: "admin", ...managed },
      { type: "lab", suspended: true },
      { type: "gpu" },
      { type: "safe", starter: "once" },
    ],
  });

/** The configuration, or the mistakes that the settings refuse it with. */
export const parsed = (raw: Readonly<Record<string, unknown>>) =>
  parseConfiguration("dev", raw, today, { objects: files });

/** All objects of a stack on a cluster where everybody who makes their Service has done so. */
export function objectsOf({ settings, members }: Configuration): JudgedStack {
  const own = members.filter(({ route, starter }) => route?.readiness.mode === "gate" && starter === undefined);
  const served = liveService({ ports: [80, 443], portNames: { "80/TCP": "http", "443/TCP": "https" } });
  const services = new Map(own.map((member) => [serviceKey(namespaceName(member), serviceName(member)), served]));
  const copies = new Map([[objectKey("Secret", "registry", "platform"), { resourceVersion: "1", data: {} }]]);
  return judgedStack(planOf(members, settings, { services, copies, mutates: true }));
}
