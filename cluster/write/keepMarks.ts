import { manifestKind } from "../../config/model/members/customKinds.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { kindEntry, objectPath } from "../kinds/kinds.ts";
import { reportProgress } from "../read/progress.ts";
import { keyOf, type ObjectName } from "../read/snapshot/snapshot.ts";
import { writeEach } from "./writeEach.ts";

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
 * @returns the objects where it failed, with the reason
 * @throws RunError if the sign-in fails
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export async function keepMarks(all: readonly KeptMarks[], { cluster }: Pick<Settings, "cluster">) {
  const refused = await writeEach(
    all,
    ({ metadata, ...object }) => ({
      what: `keep the labels and annotations that others have put on ${keyOf(object)}`,
      method: "PATCH",
      path: `${objectPath(object)}?fieldManager=${holder}`,
      contentType: "application/apply-patch+yaml",
      body: {
        apiVersion: kindEntry(object.kind).apiVersion,
        kind: manifestKind(object.kind),
        metadata: { name: object.name, namespace: object.namespace, ...metadata },
      },
    }),
    () => findApiTarget(cluster.context),
    { notify: reportProgress },
  );
  return [...refused].map(([{ kind, name, namespace }, why]) => ({ kind, name, namespace, why }));
}
