import type { Settings } from "../../config/model/settings/settings.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../kinds/kinds.ts";
import { reportProgress } from "../read/progress.ts";
import type { ObjectName } from "../read/snapshot/snapshot.ts";
import { writeEach } from "./writeEach.ts";

/** A patch of one object that a run writes itself, before it registers anything. */
export interface ObjectPatch extends ObjectName {
  /** Purpose for messages, such as `end access to member 'bob's objects`. */
  readonly what: string;
  /** A merge patch, such as of its `spec`. */
  readonly patch: object;
}

/** A patch that failed. */
interface RefusedPatch extends ObjectName {
  /** The message: attempted patch, reason and remedy. */
  readonly why: string;
}

/**
 * Patches each object, some at a time; one failure does not stop the others.
 * @returns the patches that failed
 * @throws RunError if the sign-in fails
 */
export async function patchEach(
  all: readonly ObjectPatch[],
  { cluster }: Pick<Settings, "cluster">,
): Promise<RefusedPatch[]> {
  const refused = await writeEach(
    all,
    ({ what, patch, ...object }) => ({ what, method: "PATCH", path: objectPath(object), body: patch }),
    () => findApiTarget(cluster.context),
    { notify: reportProgress },
  );
  return [...refused].map(([{ kind, name, namespace }, why]) => ({ kind, name, namespace, why }));
}
