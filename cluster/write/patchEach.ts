import type { Settings } from "../../config/model/settings/settings.ts";
import { type ApiServer, type Waiting, withApiServer } from "../api/client.ts";
import { failuresOf } from "../api/forEachOf.ts";
import { type ApiTarget, findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
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
  const refused = await writeEach(
    all,
    ({ what, patch, ...object }) => ({ what, method: "PATCH", path: objectPath(object), body: patch }),
    () => findApiTarget(cluster.context),
    { notify: reportProgress },
  );
  return [...refused].map(([{ kind, name, namespace }, why]) => ({ kind, name, namespace, why }));
}

/**
 * Makes a write for each item, some at a time; one refusal does not stop the others.
 * @returns the reasons by item of the writes that failed
 * @throws RunError if the sign-in fails
 */
export async function writeEach<T>(
  all: readonly T[],
  requestOf: (one: T) => Parameters<ApiServer["write"]>[0],
  target: () => ApiTarget,
  waiting: Partial<Waiting>,
): Promise<ReadonlyMap<T, string>> {
  return all.length === 0
    ? new Map()
    : await withApiServer(target(), waiting, (api) => failuresOf(all, (one) => api.write(requestOf(one))));
}
