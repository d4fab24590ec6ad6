import { apiGroup, type CustomKind, isCustomKind, partsOfCustom } from "../names/customKinds.ts";

interface GivenKindEntry {
  readonly apiVersion: string;
  readonly resource: string;
  /** Path of the spec of its pods. Default: it makes none. */
  readonly pods?: readonly string[];
  /** Figure of a quota that counts its history, of which controllers keep ten by default. Default: it has none. */
  readonly history?: string;
}

/** Kinds of `objects`, also custom ones that the settings allow. */
export type GivenKind = BuiltInKind | CustomKind;

const template = ["spec", "template", "spec"];

/** Kinds that members may look at. */
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

export type BuiltInKind = keyof typeof table;

export const givenKinds: Readonly<Record<BuiltInKind, GivenKindEntry>> = table;

export const givenKindNames = Object.keys(table) as BuiltInKind[];

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

export const groupOfGiven = (kind: GivenKind): string => apiGroup(givenEntry(kind).apiVersion);

/** Name of an object in the list on a member's namespace, such as `configmaps/course` or `widgets.example.org/course`. */
export const givenTitle = (kind: GivenKind, name: string) =>
  `${givenEntry(kind).resource}${isCustomKind(kind) ? `.${groupOfGiven(kind)}` : ""}/${name}`;
