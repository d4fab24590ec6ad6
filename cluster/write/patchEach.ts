import type { Settings } from "../../config/model/settings/settings.ts";
import { withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { objectPath } from "../kinds/kinds.ts";
import { reportProgress } from "../read/progress.ts";
import type { ObjectName } from "../read/snapshot/snapshot.ts";

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
  const refused: RefusedPatch[] = [];
  if (all.length === 0) {
    return refused;
  }
  await withApiServer(findApiTarget(cluster.context), { notify: reportProgress }, async (api) => {
    await forEachOf(all, async ({ what, patch, kind, name, namespace }) => {
      const object = { kind, name, namespace };
      await api
        .write({ what, method: "PATCH", path: objectPath(object), body: patch })
        .catch((cause) => void refused.push({ ...object, why: messageOf(cause) }));
    });
  });
  return refused;
}
