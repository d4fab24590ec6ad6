import { withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { listPath } from "../../cluster/kinds/kinds.ts";
import { noticesAnnotation } from "../../config/names/labels.ts";

/** Time limit for all of them, in milliseconds. */
const patience = 30_000;

interface AnnotationWrite {
  readonly uid: string | undefined;
  readonly before: string | undefined;
  /** Undefined to remove it. */
  readonly after: string | undefined;
}

/**
 * Writes what was told into annotations of namespaces, where these are still what they were: another watch may have
 * written there, which this one has not seen, or the namespace may be another of the same name.
 * @param lost aborted when another watch may write them: then the rest is refused
 * @returns errors of those that could not be written, by namespace; UnconfirmedError if that is unknown
 */
export async function writeAnnotations(
  writes: ReadonlyMap<string, AnnotationWrite>,
  context: string | undefined,
  lost?: AbortSignal,
): Promise<ReadonlyMap<string, Error>> {
  const refused = new Map<string, Error>();
  const write = async () =>
    await withApiServer(
      findApiTarget(context),
      { patience },
      (api) =>
        inParallel([...writes], hands, async ([name, one]) => {
          if (lost?.aborted) {
            refused.set(name, new Error("another watch may have the Lease"));
            return;
          }
          const what = `note in namespace '${name}' what was told`;
          // Not Pulumi's manager, whose fields go when a run does not declare them.
          const path = `${listPath("Namespace")}/${name}?fieldManager=kubecamp-watch`;
          const [body, contentType] = [patchOf(one), "application/json-patch+json"];
          await api
            .write({ what, method: "PATCH", path, body, contentType })
            .catch((error: Error) => refused.set(name, error));
        }),
      "watch",
    );
  await write().catch((error: Error) => {
    for (const name of writes.keys()) {
      refused.set(name, error);
    }
  });
  return refused;
}

/** @see https://www.rfc-editor.org/rfc/rfc6902#section-4.6 */
function patchOf({ uid, before, after }: AnnotationWrite): readonly object[] {
  const path = `/metadata/annotations/${noticesAnnotation.replaceAll("/", "~1")}`;
  return [
    ...(uid === undefined ? [] : [{ op: "test", path: "/metadata/uid", value: uid }]),
    // The API server takes null for none.
    { op: "test", path, value: before ?? null },
    after === undefined ? { op: "remove", path } : { op: "add", path, value: after },
  ];
}
