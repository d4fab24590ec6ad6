import { customKindOf, type ObjectKind, partsOfCustom } from "../../../config/model/members/customKinds.ts";
import { type BuiltInKind, fileKindNames, givenKinds } from "../../../config/model/members/givenKinds.ts";
import { staffRoles } from "../../../config/model/members/staff.ts";
import { controllers, type IngressController } from "../../../config/model/routes/controllers.ts";
import { builtInMemberTypes } from "../../../config/model/settings/defaults.ts";
import type { Configuration } from "../../../config/model/settings/settings.ts";
import type { ManifestFiles } from "../../../config/resolve/members/objects.ts";
import { parseConfiguration } from "../../../config/sources/configuration.ts";

/** The stack's name in deploy/. */
export const stack = "prod";

/** The names in rights that differ between stacks. */
export interface Names {
  readonly stack: string;
  /** Namespace of the ingress controller. Default: the controller's usual one. */
  readonly namespace?: string;
  /** Secrets that `objects` copies. */
  readonly copies: readonly string[];
  /** Custom kinds that `objects` may have. */
  readonly kinds: readonly ObjectKind[];
}

/** The names in deploy/. */
export const example: Names = {
  stack,
  copies: ["registry"],
  kinds: [{ kind: customKindOf({ apiVersion: "example.org/v1", kind: "Widget" }), isEditable: false }],
};

/** A description of the stacks that a manifest serves. */
export interface Sample {
  readonly route?: Readonly<Record<string, unknown>>;
  /** Whether members' Services have certificates from a private CA. */
  readonly hasCa?: boolean;
  /** Further types, with members of each. */
  readonly types?: Readonly<Record<string, object>>;
  /** Further settings. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Files of `objects`. */
  readonly files?: ManifestFiles;
  /** Further fields of a member's entry; one member of each type goes without. */
  readonly each?: (member: string) => Readonly<Record<string, unknown>>;
}

/** A stack with three members of each type: active, suspended, and one without the further fields. */
export function configurationOf(
  { route, hasCa = false, types: furtherTypes = {}, more, files, each = () => ({}) }: Sample,
  name: string = stack,
): Configuration {
  const memberTypes = { reader: { home: "view", others: "none" }, ...furtherTypes };
  const types = [...Object.keys(builtInMemberTypes), ...Object.keys(memberTypes)];
  const members = types.flatMap((type) => [
    { member: `active-${type}`, type, ...each(`active-${type}`) },
    { member: `suspended-${type}`, type, suspended: true, ...each(`suspended-${type}`) },
    { member: `plain-${type}`, type },
  ]);
  const settings = { route: { host: "apps.example.org", ...route }, memberTypes, members, ...more };
  const parsed = parseConfiguration(name, settings, "2026-01-01", { objects: files });
  if ("mistakes" in parsed) {
    throw new Error(JSON.stringify(parsed.mistakes));
  }
  return hasCa ? withCa(parsed.configuration) : parsed.configuration;
}

/** The certificate's content affects no right. */
function withCa({ members, settings }: Configuration): Configuration {
  const backend = { ...settings.route.backend, ca: "CA" };
  return { members, settings: { ...settings, route: { ...settings.route, backend } } };
}

/** An ingress controller with every setting for which it may need kinds of its own. */
export function sampleOf(controller: IngressController): Sample {
  const { by, verifies } = controllers[controller];
  const rewrite = by.strip === undefined ? "none" : "strip";
  return {
    route: { controller, rewrite, backendProtocol: "HTTPS" },
    hasCa: verifies.includes("CA"),
  };
}

/** Types with everything that takes policies of its own. */
export const labs: Sample = {
  types: {
    lab: {
      devices: { "gpu.example.com": 1 },
      storage: { fast: "20Gi" },
      runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
      pool: { nodeSelector: { pool: "lab" }, tolerations: [{ key: "dedicated", value: "lab" }] },
      userNamespaces: "required",
    },
  },
};

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

/** A stack that gives members an object of each kind, and copies of these Secrets. */
export const givenWith = (copies: readonly string[]): Sample => ({
  more: {
    objects: [
      { file: "objects/tutor.yaml", for: some },
      ...copies.map((name) => ({ copy: `Secret platform/${name}`, for: some })),
    ],
  },
  files: new Map([["objects/tutor.yaml", { documents, mistakes: [] }]]),
});

/** A stack that gives members an object of each of these kinds. */
export function customizedWith(kinds: readonly ObjectKind[]): Sample {
  const parts = kinds.map(({ kind, isEditable }) => ({ ...partsOfCustom(kind), isEditable }));
  const documents = parts.map(({ apiVersion, kind }, index) => ({
    value: { apiVersion, kind, metadata: { name: `tutor-\${member}` }, spec: {} },
    line: index + 1,
  }));
  return {
    more: {
      objectKinds: parts.map(({ apiVersion, kind, plural, isEditable }) => ({
        ...{ apiVersion, kind, plural },
        ...(isEditable ? { edit: true } : {}),
      })),
      objects: [{ file: "objects/widget.yaml", for: { members: ["active-user", "active-admin"] } }],
    },
    files: new Map([["objects/widget.yaml", { documents, mistakes: [] }]]),
  };
}

/** CI jobs of an issuer, and a ServiceAccount for others. */
export const pipelined: Sample = {
  more: { ci: { audience: "https://k8s.example.org" } },
  each: (member) =>
    member.endsWith("-reader")
      ? {}
      : { ci: [{ issuer: "github", repository: `${member}/site`, ref: "refs/heads/main" }, { token: true }] },
};

const labels = { course: "cs101" };

/** Staff with each role, not over all: who was over somebody, may not be so any more. */
export const staffed: Sample = {
  more: { staff: staffRoles.map((role) => ({ group: `of-${role}`, role, over: { labels } })) },
  each: () => ({ labels }),
};
