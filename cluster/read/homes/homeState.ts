import { hash } from "node:crypto";
import type { KubernetesObject } from "@kubernetes/client-node";
import type { ApiServer } from "../../api/client.ts";
import { inParallel } from "../../kinds/inParallel.ts";
import { type ServedKind, servedKinds, servedPath } from "../server/servedKinds.ts";
import { isArchived, isTheirs, resourceName } from "./theirObjects.ts";

/** A namespace's objects of a kind. */
export interface FoundObjects<T extends KubernetesObject = KubernetesObject> {
  readonly kind: ServedKind;
  readonly objects: readonly T[];
}

interface Looking {
  /** Whether names, marks and times are enough. Default: no. */
  readonly metadataOnly?: boolean;
  /** Kinds that there are. Default: the API server is asked. */
  readonly kinds?: readonly ServedKind[];
}

/** Lists that are read at a time. */
const hands = 5;

/**
 * Lists a namespace's objects of every kind that an archive has.
 * @throws RunError if a list is not answered, or nobody knows which kinds there are
 */
export async function archivedObjects<T extends KubernetesObject>(
  api: ApiServer,
  namespace: string,
  asked: { readonly secrets: boolean },
  { metadataOnly = false, kinds }: Looking = {},
): Promise<readonly FoundObjects<T>[]> {
  const archived = (kinds ?? (await servedKinds(api))).filter((kind) => isArchived(kind, asked));
  return await inParallel(archived, hands, async (kind) => {
    const what = `the ${kind.resource} of namespace '${namespace}'`;
    const request = { what, path: servedPath(kind, namespace), kind: kind.kind };
    return { kind, objects: await api.list<T>(metadataOnly ? { ...request, metadataOnly } : request) };
  });
}

/**
 * Digest of a member's own objects and of when each was written last, by the API server's clock. Another one means that an
 * archive lacks something. What controllers report in `status` does not count, nor do the number of pods that is set by
 * `scale`, or labels and annotations alone.
 */
export function homeStateOf(found: readonly FoundObjects[]): string {
  const lines = found.flatMap(({ kind, objects }) =>
    objects
      .filter((object) => isTheirs({ ...object, kind: kind.kind }) && !isToken(kind, object))
      .map(({ metadata }) => [resourceName(kind), metadata?.name, metadata?.uid, ...writesOf(metadata)].join(" ")),
  );
  return hash("sha256", lines.sort().join("\n"));
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
