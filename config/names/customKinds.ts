/**
 * A custom kind that the settings allow in `objects`, as kubectl writes it: `Widget.v1.example.org`. If its resource is not
 * named after the rule, the name follows: `Redis.v1.example.org:redis`.
 */
export type CustomKind = `${string}.${string}`;

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
type Kind = Readonly<Record<"apiVersion" | "kind", string>> & { readonly plural?: string | undefined };

export function customKindOf({ apiVersion, kind, plural }: Kind): CustomKind {
  const [group = "", version = ""] = apiVersion.split("/");
  const resource = plural === undefined || plural === pluralOf(kind) ? "" : `:${plural}`;
  return `${kind}.${version}.${group}${resource}`;
}

export function partsOfCustom(custom: CustomKind) {
  const [, kind = "", version = "", group = "", plural = pluralOf(kind)] =
    /^([^.]+)\.([^.]+)\.([^:]+)(?::(.+))?$/.exec(custom) ?? [];
  return { apiVersion: `${group}/${version}`, kind, plural, group };
}

export const manifestKind = (kind: string): string => (isCustomKind(kind) ? partsOfCustom(kind).kind : kind);

/** A kind in titles and keys: without the name of its resource. */
export const titledKind = (kind: string): string => kind.split(":")[0] ?? kind;

/** In a logical name: `widget.example.org:course`. Without the version: an object of another is the same one. */
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

/** Group of an API version, such as `apps` of `apps/v1`; empty for the core group. */
export const apiGroup = (apiVersion: string): string => /^(.*?)\//.exec(apiVersion)?.[1] ?? "";

/** Resource with its group, as kubectl and quotas name it: `deployments.apps`, or `configmaps`. */
export const groupResource = (resource: string, apiVersion: string): string =>
  [resource, apiGroup(apiVersion)].filter((part) => part !== "").join(".");
