import { manifestKind } from "../../config/model/members/customKinds.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { kindEntry, objectPath } from "../kinds/kinds.ts";
import { reportProgress } from "../read/progress.ts";
import { keyOf, type ObjectName } from "../read/snapshot/snapshot.ts";

/** Labels and annotations of somebody else's on an object of the stack. */
export interface KeptMarks extends ObjectName {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    /** As it was read: the API server refuses another one. */
    readonly resourceVersion: string;
  };
}

/** The field manager that holds them. Pulumi's plugin takes over from managers that are called `kubectl…`. */
const holder = "kept-by-kubecamp";

/**
 * Has another field manager hold labels and annotations, so that they stay when the plugin takes over what kubectl holds and
 * applies what is declared. A failure stops nothing.
 * @returns the reasons for objects where it failed
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export async function keepMarks(all: readonly KeptMarks[], { cluster }: Pick<Settings, "cluster">): Promise<string[]> {
  const failures: string[] = [];
  if (all.length === 0) {
    return failures;
  }
  await withApiServer(findApiTarget(cluster.context), { notify: reportProgress }, async (api) => {
    await forEachOf(all, async ({ metadata, ...object }) => {
      const { kind, name, namespace } = object;
      await api
        .write({
          what: `keep the labels and annotations that others have put on ${keyOf(object)}`,
          method: "PATCH",
          path: `${objectPath(object)}?fieldManager=${holder}`,
          contentType: "application/apply-patch+yaml",
          body: {
            apiVersion: kindEntry(kind).apiVersion,
            kind: manifestKind(kind),
            metadata: { name, namespace, ...metadata },
          },
        })
        .catch((cause) => void failures.push(messageOf(cause)));
    });
  });
  return failures;
}
