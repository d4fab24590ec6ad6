import { z } from "zod";
import { apiGroup, type CustomKind, customKindOf, isCustomKind, partsOfCustom } from "../names/customKinds.ts";
import type { EntryOf } from "../values/issues.ts";
import { flag, optional, text } from "../values/values.ts";

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

const kindEntry = z.strictObject(
  {
    apiVersion: text
      .regex(
        /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?v[0-9][a-z0-9]*$/,
        "must be an API version, such as 'example.org/v1'",
      )
      .meta({ description: "API version of the kind, as in manifests.", examples: ["example.org/v1"] }),
    kind: text
      .regex(/^[A-Z][A-Za-z0-9]*$/, "must be a kind, such as 'Widget'")
      .meta({ description: "The kind, as in manifests.", examples: ["Widget"] }),
    plural: optional(
      text.regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be the name of a resource, such as 'widgets'"),
      "Name of its resource in `kubectl api-resources`. A run refuses a wrong one. Default: the kind's plural, such as `widgets`.",
      { examples: ["widgets"] },
    ),
    edit: optional(
      flag,
      "Whether members with the role `edit` create, change and delete their own objects of the kind. Needed for `theirs`. Default: `false`.",
    ),
  },
  "must be a custom kind: a map with apiVersion and kind",
);

export const objectKindsSchema = optional(
  z.array(kindEntry, "must be a list of custom kinds"),
  "Custom kinds for files of `objects`. Their controllers act for whoever has such an object: [read this first](../run/objects.md#custom-kinds).",
  { examples: [[{ apiVersion: "example.org/v1", kind: "Widget" }]] },
);

/** A custom kind of `objectKinds`. */
export interface ObjectKind {
  readonly kind: CustomKind;
  /** Whether members with an `edit` role make, change and delete such objects. */
  readonly isEditable: boolean;
}

/** The custom kinds that `objects` may have; undefined without any. */
export function objectKindsOf(entries: EntryOf<typeof objectKindsSchema> = []): readonly ObjectKind[] | undefined {
  const kinds = entries.flatMap(({ apiVersion, kind, plural, edit = false } = {}): ObjectKind[] =>
    apiVersion === undefined || kind === undefined
      ? []
      : [{ kind: customKindOf({ apiVersion, kind, plural }), isEditable: edit }],
  );
  return kinds.length === 0 ? undefined : kinds;
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
