import { parseConfiguration } from "../../../config/configuration.ts";
import { builtInMemberTypes } from "../../../config/member/types.ts";
import { type BuiltInKind, fileKindNames, givenKinds } from "../../../config/objects/givenKinds.ts";
import type { ManifestFiles } from "../../../config/objects/objects.ts";
import type { Configuration } from "../../../config/settings.ts";
import { staffRoles } from "../../../config/staff.ts";
import { ca } from "../certificates.ts";
import { storage, today } from "../samples.ts";

/** The stack's name in deploy/. */
export const stack = "prod";

/** Settings of a stack beyond its members. */
interface Sample {
  readonly route?: Readonly<Record<string, unknown>>;
  readonly more?: Readonly<Record<string, unknown>>;
  /** Files of `objects`. */
  readonly files?: ManifestFiles;
  /** Further fields of a member's entry; one member of each type goes without. */
  readonly each?: Readonly<Record<string, unknown>>;
}

/** A stack with three members of each type: active, suspended, and one without the further fields. */
export function configurationOf({ route, more, files, each }: Sample): Configuration {
  const memberTypes = { reader: { home: "view", others: "none" } };
  const members = [...Object.keys(builtInMemberTypes), ...Object.keys(memberTypes)].flatMap((type) => [
    { member: `active-${type}`, type, ...each },
    { member: `suspended-${type}`, type, suspended: true, ...each },
    { member: `plain-${type}`, type },
  ]);
  const own = route?.kind === "gateway" ? {} : { controller: "ingress-nginx" };
  const raw = { route: { host: "apps.example.org", ...own, ...route }, memberTypes, members, ...more };
  const parsed = parseConfiguration(stack, raw, today, { objects: files });
  if ("mistakes" in parsed) {
    throw new Error(JSON.stringify(parsed.mistakes));
  }
  return parsed.configuration;
}

const pods = { containers: [{ name: "tutor", image: "docker.io/library/nginx:1" }] };
const template = { metadata: { labels: { app: "tutor" } }, spec: pods };
const selector = { matchLabels: { app: "tutor" } };

/** Contents of an object of each kind. */
const contents: Readonly<Record<BuiltInKind, object>> = {
  ConfigMap: { data: {} },
  CronJob: { spec: { schedule: "0 4 * * *", jobTemplate: { spec: { template } } } },
  DaemonSet: { spec: { selector, template } },
  Deployment: { spec: { selector, template } },
  Secret: {},
  Service: { spec: { selector: { app: "tutor" }, ports: [{ port: 80 }] } },
  StatefulSet: { spec: { selector, template, serviceName: "tutor" } },
};

const documents = fileKindNames.map((kind, line) => ({
  value: { apiVersion: givenKinds[kind].apiVersion, kind, metadata: { name: `tutor-\${member}` }, ...contents[kind] },
  line,
}));

const some = { members: ["active-user", "active-admin"] };

/** A stack that gives members an object of each kind, and the copy of a Secret. */
export const given: Sample = {
  more: {
    objects: [
      { file: "objects/tutor.yaml", for: some },
      { copy: "Secret platform/registry", for: some },
    ],
  },
  files: new Map([["objects/tutor.yaml", { documents, mistakes: [] }]]),
};

const widget = { apiVersion: "example.org/v1", kind: "Widget" };

/** A stack that gives members an object of a custom kind. */
export const customized: Sample = {
  more: {
    objectKinds: [{ ...widget, plural: "widgets" }],
    objects: [{ file: "objects/widget.yaml", for: some }],
  },
  files: new Map([
    [
      "objects/widget.yaml",
      {
        documents: [{ value: { ...widget, metadata: { name: `tutor-\${member}` }, spec: {} }, line: 1 }],
        mistakes: [],
      },
    ],
  ]),
};

const labels = { course: "cs101" };
const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "standard", bucketAccessClassName: "keys" };

const jobs = [{ issuer: "github", repository: "ned/site", ref: "refs/heads/main" }, { token: true }];

const staffOf = (role: string) => (role === "spawn" ? { serviceAccount: "hub/hub" } : { group: role });

/** Stacks that have every feature between them. */
export const featured: Readonly<Record<string, Configuration>> = {
  "an ingress controller": configurationOf({
    more: { ...given.more, storage, staff: staffRoles.map((role) => ({ ...staffOf(role), role, over: { labels } })) },
    ...(given.files === undefined ? {} : { files: given.files }),
    each: {
      labels,
      starter: "kept",
      buckets: [{ name: "data" }],
      schedule: { sleep: "0 20 * * *", wake: "0 7 * * *" },
    },
  }),
  Traefik: configurationOf({
    ...customized,
    route: {
      controller: "traefik",
      place: "controller",
      rewrite: "strip",
      backendProtocol: "HTTPS",
      backendTls: { ca },
    },
    each: {
      devices: { "gpu.example.com": 1 },
      storage: { fast: "1Gi" },
      runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
      pool: { nodeSelector: { pool: "lab" }, tolerations: [{ key: "dedicated" }] },
      userNamespaces: "required",
      quota: true,
    },
  }),
  "a Gateway": configurationOf({
    route: {
      ...{ kind: "gateway", namespace: "gateways", gateway: { name: "public" } },
      ...{ backendProtocol: "HTTPS", backendTls: { ca } },
    },
    more: { storage: cosi, ci: { audience: "https://k8s.example.org" } },
    each: { buckets: [{ name: "data" }] },
  }),
  // Readers can have none.
  "CI jobs": configurationOf({
    route: { backendProtocol: "HTTPS", backendTls: { ca } },
    more: { ci: { audience: "https://k8s.example.org" }, members: [{ member: "ned", type: "user", ci: jobs }] },
  }),
};
