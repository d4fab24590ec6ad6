import { withApiServer } from "../../cluster/api/client.ts";
import { forEachOf } from "../../cluster/api/forEachOf.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../../cluster/api/message.ts";
import { listPath } from "../../cluster/kinds/kinds.ts";
import { noticesAnnotation } from "../../naming/labels.ts";

/** Time limit for all of them, in milliseconds. */
const patience = 30_000;

/**
 * Writes what was told into annotations of namespaces.
 * @param values by namespace; undefined to remove the annotation
 * @param context of the kubeconfig; undefined for the current one
 * @param lost aborted when another watch may write them: then the rest is refused
 * @returns reasons why some could not be written, by namespace
 */
export async function writeAnnotations(
  values: ReadonlyMap<string, string | undefined>,
  context: string | undefined,
  lost?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>();
  const write = async () =>
    await withApiServer(
      findApiTarget(context),
      { patience },
      (api) =>
        forEachOf([...values], async ([name, value]) => {
          if (lost?.aborted) {
            refused.set(name, "another watch may have the Lease");
            return;
          }
          const what = `note in namespace '${name}' what was told`;
          // Not Pulumi's manager, whose fields go when a run does not declare them.
          const path = `${listPath("Namespace")}/${name}?fieldManager=kubecamp-watch`;
          const body = { metadata: { annotations: { [noticesAnnotation]: value ?? null } } };
          const contentType = "application/merge-patch+json";
          await api
            .write({ what, method: "PATCH", path, body, contentType })
            .catch((error: unknown) => refused.set(name, messageOf(error)));
        }),
      "watch",
    );
  await write().catch((error: unknown) => {
    for (const name of values.keys()) {
      refused.set(name, messageOf(error));
    }
  });
  return refused;
}
