import { apiGroup } from "../values/apiGroup.ts";

/** A kind of which members can be given objects. */
interface GivenKindEntry {
  readonly apiVersion: string;
  /** Name in API paths. */
  readonly resource: string;
  /** Path of the spec of its pods. Default: it makes none. */
  readonly pods?: readonly string[];
  /** Figure of a quota that counts its history, of which controllers keep ten by default. Default: it has none. */
  readonly history?: string;
}

const template = ["spec", "template", "spec"];

/**
 * Kinds of `objects`. All of them are kinds that members may look at.
 */
const table = {
  ConfigMap: { apiVersion: "v1", resource: "configmaps" },
  CronJob: {
    apiVersion: "batch/v1",
    resource: "cronjobs",
    pods: ["spec", "jobTemplate", ...template],
    history: "count/jobs.batch",
  },
  DaemonSet: {
    apiVersion: "apps/v1",
    resource: "daemonsets",
    pods: template,
    history: "count/controllerrevisions.apps",
  },
  Deployment: { apiVersion: "apps/v1", resource: "deployments", pods: template, history: "count/replicasets.apps" },
  Secret: { apiVersion: "v1", resource: "secrets" },
  Service: { apiVersion: "v1", resource: "services" },
  StatefulSet: {
    apiVersion: "apps/v1",
    resource: "statefulsets",
    pods: template,
    history: "count/controllerrevisions.apps",
  },
} as const satisfies Readonly<Record<string, GivenKindEntry>>;

/** Kubernetes' own kinds of `objects`. */
export type BuiltInKind = keyof typeof table;
/** Kinds of `objects`, also custom ones that the settings allow. */
export type GivenKind = BuiltInKind | CustomKind;
export const givenKinds: Readonly<Record<BuiltInKind, GivenKindEntry>> = table;
export const givenKindNames = Object.keys(table) as BuiltInKind[];
/** Properties of a kind. */
export function givenEntry(kind: GivenKind): GivenKindEntry {
  if (!isCustomKind(kind)) {
    return givenKinds[kind];
  }
  const { apiVersion, plural } = partsOfCustom(kind);
  return { apiVersion, resource: plural };
}
/** Kinds of manifests. No Secrets: a file with one is readable for whoever reads the repository. */
export const fileKindNames = givenKindNames.filter((kind) => kind !== "Secret");
export const isGivenKind = (kind: unknown): kind is BuiltInKind => givenKindNames.includes(kind as BuiltInKind);

/** API group of a kind; empty for the core group. */
export const groupOfGiven = (kind: GivenKind): string => apiGroup(givenEntry(kind).apiVersion);

/** Name of an object in the list on a member's namespace, such as `configmaps/course` or `widgets.example.org/course`. */
export const givenTitle = (kind: GivenKind, name: string) =>
  `${givenEntry(kind).resource}${isCustomKind(kind) ? `.${groupOfGiven(kind)}` : ""}/${name}`;

/**
 * A custom kind that the settings allow in `objects`, as kubectl writes it: `Widget.v1.example.org`. If its resource is not
 * named after the rule, the name follows: `Redis.v1.example.org:redis`.
 */
export type CustomKind = `${string}.${string}`;

/** A custom kind of `objectKinds`. */
export interface ObjectKind {
  readonly kind: CustomKind;
  /** Whether members with an `edit` role make, change and delete such objects. */
  readonly isEditable: boolean;
}

interface Parts {
  /** Such as `example.org/v1`. */
  readonly apiVersion: string;
  /** Such as `Widget`. */
  readonly kind: string;
  /** Name in API paths, such as `widgets`. */
  readonly plural: string;
}

/** Stands for all custom kinds in a row of the manifest. */
export const anyCustomKind: CustomKind = "*.*";

/** Whether an API version is none of Kubernetes' own. */
export function isCustomVersion(apiVersion: unknown): apiVersion is string {
  const group = apiGroup(String(apiVersion));
  return group.includes(".") && !/(^|\.)k8s\.io$/.test(group);
}

/** Kubernetes' own kinds have no dot in their names. */
export const isCustomKind = (kind: string): kind is CustomKind => kind.includes(".");

/** @param plural default: by the rule of `pluralOf` */
export function customKindOf({
  apiVersion,
  kind,
  plural,
}: Omit<Parts, "plural"> & { readonly plural?: string | undefined }): CustomKind {
  const [group = "", version = ""] = apiVersion.split("/");
  const resource = plural === undefined || plural === pluralOf(kind) ? "" : `:${plural}`;
  return `${kind}.${version}.${group}${resource}`;
}

export function partsOfCustom(custom: CustomKind): Parts & { readonly group: string } {
  const [, kind = "", version = "", group = "", plural = pluralOf(kind)] =
    /^([^.]+)\.([^.]+)\.([^:]+)(?::(.+))?$/.exec(custom) ?? [];
  return { apiVersion: `${group}/${version}`, kind, plural, group };
}

/** A kind's name in manifests and in Pulumi's types, such as `Widget`. */
export const manifestKind = (kind: string): string => (isCustomKind(kind) ? partsOfCustom(kind).kind : kind);

/** A kind in titles and keys: without the name of its resource. */
export const titledKind = (kind: string): string => kind.split(":")[0] ?? kind;

/**
 * An object of a custom kind in its logical name, such as `widget.example.org:course`. Without the version, since another
 * version of an object stays the same object.
 */
export function customVary(custom: CustomKind, name: string): string {
  const { kind, group } = partsOfCustom(custom);
  return `${kind.toLowerCase()}.${group}:${name}`;
}

/** Other API versions that an object may have had in an earlier run, of those that authors usually name. */
export function otherVersions(custom: CustomKind): string[] {
  const { group, apiVersion } = partsOfCustom(custom);
  const stages = ["", ...["alpha", "beta"].flatMap((stage) => [1, 2, 3, 4].map((number) => `${stage}${number}`))];
  return [1, 2]
    .flatMap((version) => stages.map((stage) => `${group}/v${version}${stage}`))
    .filter((each) => each !== apiVersion);
}

/** Name of a kind's resource, as kubebuilder and most authors form it. */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/[^aeiou]y$/.test(word)) {
    return `${word.slice(0, -1)}ies`;
  }
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** The allowed kind of a manifest; undefined if the settings allow none such. */
export const allowedKind = (
  allowed: readonly ObjectKind[],
  apiVersion: unknown,
  kind: unknown,
): ObjectKind | undefined =>
  allowed.find((each) => {
    const of = partsOfCustom(each.kind);
    return of.apiVersion === apiVersion && of.kind === kind;
  });

/** All allowed custom kinds. */
export const customKindsIn = ({ objectKinds = [] }: { readonly objectKinds?: readonly ObjectKind[] }): CustomKind[] =>
  objectKinds.map(({ kind }) => kind);

/** Resource of a custom kind in rules and policies. */
export interface CustomResource {
  readonly apiGroups: string[];
  readonly resources: string[];
}

export function customResource({ kind }: ObjectKind): CustomResource {
  const { group, plural } = partsOfCustom(kind);
  return { apiGroups: [group], resources: [plural] };
}

/** Resources of all custom kinds, or of those that members edit. */
export const customResources = (
  { objectKinds = [] }: { readonly objectKinds?: readonly ObjectKind[] },
  only?: "editable",
): CustomResource[] => objectKinds.filter(({ isEditable }) => only === undefined || isEditable).map(customResource);
