import { hash } from "node:crypto";
import type { KubernetesObject } from "@kubernetes/client-node";
import type { ApiServer } from "../../api/client.ts";
import { inParallel } from "../../inParallel.ts";
import { type ServedKind, servedKinds, servedPath } from "../server/servedKinds.ts";
import { isArchived, isGiven, isTheirs, resourceName, type WholeObject } from "./theirObjects.ts";

interface Looking {
  /** Whether names, marks and times are enough. Default: no. */
  readonly metadataOnly?: boolean;
  /** Kinds that there are. Default: the API server is asked. */
  readonly kinds?: readonly ServedKind[];
  /** Objects that the member was given, as the namespace lists them. Default: none. */
  readonly given?: readonly string[];
}

/** Lists that are read at a time. */
const hands = 5;

/**
 * Lists a namespace's objects of every kind that an archive has.
 * @param keep makes of an object what is kept of it, or undefined to drop it, before further ones are read
 * @throws RunError if a list is not answered, or nobody knows which kinds there are; any error of `keep`
 */
export async function archivedObjects<T>(
  api: ApiServer,
  namespace: string,
  asked: { readonly secrets: boolean },
  keep: (kind: ServedKind, object: WholeObject) => T | undefined,
  { metadataOnly = false, kinds, given = [] }: Looking = {},
): Promise<readonly { readonly kind: ServedKind; readonly kept: readonly T[] }[]> {
  const archived = (kinds ?? (await servedKinds(api))).filter((kind) => isArchived(kind, asked));
  return await inParallel(archived, hands, async (kind) => {
    const what = `the ${kind.resource} of namespace '${namespace}'`;
    const kept = await api.list<T>({
      ...{ what, path: servedPath(kind, namespace), kind: kind.kind, metadataOnly },
      keep: (object) => (isGiven(kind, object, given) ? undefined : keep(kind, object as WholeObject)),
    });
    return { kind, kept };
  });
}

/** Reads the state of a namespace (`homeStateOf`). @throws RunError as `archivedObjects` does */
export async function readHomeState(
  api: ApiServer,
  namespace: string,
  asked: { readonly secrets: boolean },
  looking: Pick<Looking, "kinds" | "given"> = {},
): Promise<string> {
  const found = await archivedObjects(api, namespace, asked, stateLine, { metadataOnly: true, ...looking });
  return homeStateOf(found.flatMap(({ kept }) => kept));
}

/**
 * Digest of a member's own objects and of when each was written last, by the API server's clock. Another one means that an
 * archive lacks something. What controllers report in `status` does not count, nor do the number of pods that is set by
 * `scale`, or labels and annotations alone.
 * @param lines one for each object (`stateLine`)
 */
export const homeStateOf = (lines: readonly string[]): string => hash("sha256", lines.toSorted().join("\n"));

/** An object's line of the digest; undefined if it is not theirs. */
export function stateLine(kind: ServedKind, object: KubernetesObject): string | undefined {
  const { metadata } = object;
  return isTheirs({ ...object, kind: kind.kind }) && !isToken(kind, object)
    ? [resourceName(kind), metadata?.name, metadata?.uid, ...writesOf(metadata)].join(" ")
    : undefined;
}

/** Nobody archives such a Secret, and metadata alone does not have its type. */
const isToken = (kind: ServedKind, { metadata }: KubernetesObject) =>
  kind.kind === "Secret" && metadata?.annotations?.["kubernetes.io/service-account.name"] !== undefined;

/**
 * Who wrote more than metadata and status, and when.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
function writesOf({ managedFields = [] }: NonNullable<KubernetesObject["metadata"]> = {}): string[] {
  return managedFields
    .filter(({ fieldsV1, subresource }) => {
      const fields = Object.keys(Object(fieldsV1));
      return (
        !["status", "scale"].includes(subresource ?? "") &&
        fields.some((field) => field !== "f:metadata" && field !== "f:status")
      );
    })
    .map(({ manager = "", operation = "", time }) => `${manager}/${operation}@${new Date(time ?? 0).toISOString()}`)
    .sort();
}
