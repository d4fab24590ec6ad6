import type { Settings } from "../../config/model/settings.ts";
import { withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { objectPath } from "../kinds/kinds.ts";
import { reportProgress } from "../read/progress.ts";
import type { ObjectName } from "../read/snapshot.ts";

/** A change of one object that a run makes itself, before anything is registered. */
export interface ObjectPatch extends ObjectName {
  /** What it does, for messages, such as `end access to what is member 'bob's`. */
  readonly what: string;
  /** A merge patch, such as of its `spec`. */
  readonly patch: object;
}

/** One that was not made. */
export interface RefusedPatch extends ObjectName {
  /** What was to be done, why it failed and what to do. */
  readonly why: string;
}

/**
 * Patches each of many objects, some at a time, whatever becomes of the others.
 * @returns those that were not patched
 * @throws RunError when nobody can sign in
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
      const contentType = "application/merge-patch+json";
      await api
        .write({ what, method: "PATCH", path: objectPath(object), contentType, body: patch })
        .catch((cause) => void refused.push({ ...object, why: messageOf(cause) }));
    });
  });
  return refused;
}
