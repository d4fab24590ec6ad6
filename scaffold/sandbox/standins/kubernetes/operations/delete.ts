/** Delete: until the object is gone; for a *Patch, until its fields are given up. */

import { InitFailed } from "../../../../../buckets/protocol/errors.ts";
import { at, type Props } from "../../../../../buckets/protocol/values.ts";
import { awaitDeleted } from "../await/await.ts";
import { NotReady } from "../await/waiting.ts";
import { ApiError } from "../cluster/api.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { NoMatchError } from "../cluster/kinds.ts";
import { newFieldManager } from "../objects/naming.ts";
import { annotation, checkpoint, idOf, isPatch, parseCheckpoint, parseId, withMetadata } from "../objects/objects.ts";
import type { Session } from "../session.ts";
import { deleteUnreachableAdvice, deleteUnreachableNote } from "./read.ts";
import { relinquish } from "./update.ts";

export interface DeleteRequest {
  urn: string;
  id: string;
  state: Props;
  customTimeout: number;
}

export async function deleteObject(session: Session, request: DeleteRequest): Promise<void> {
  const { urn, id, state, customTimeout } = request;
  const { cluster, log, signal, clock } = session;
  if (!cluster) return await deleteUnreachable(session, urn);

  const { inputs, live, fieldManager = newFieldManager(), initialApiVersion } = parseCheckpoint(state);
  const object = withMetadata(live, { name: parseId(id).name });
  try {
    if (isPatch(urn, inputs)) return await relinquishPatch(cluster, object, fieldManager);
    await cluster.delete(object, propagationOf(inputs));
    const status = (message: string): Promise<void> => log.status(urn, message);
    await awaitDeleted(object, inputs, { cluster, signal, clock, customTimeout }, status);
  } catch (error) {
    if (error instanceof NoMatchError || (error instanceof ApiError && error.code === 404)) return;
    if (!(error instanceof NotReady)) {
      throw new Error(`deleting ${JSON.stringify(urn)} failed: ${Object(error).message}`);
    }
    const finalizers = at(error.object, "metadata", "finalizers");
    await log.say("WARNING", urn, `finalizers might be preventing deletion (${String(finalizers ?? "")})`);
    const left = { inputs, live: error.object, given: state, fieldManager, initialApiVersion };
    throw new InitFailed(error.message, { id: idOf(error.object), state: checkpoint(left), reasons: error.reasons });
  }
}

async function relinquishPatch(cluster: Cluster, object: Props, fieldManager: string): Promise<void> {
  await relinquish(cluster, object, fieldManager).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.is("Invalid") && error.message.includes("Required value"))) throw error;
    throw new Error(
      `this Patch resource is currently managing a required field, so it can't be deleted directly. Either set the \`retainOnDelete\` resource option, or transfer ownership of the field before deleting: ${error.message}`,
    );
  });
}

function propagationOf(inputs: Props): string {
  const policy = annotation(inputs, "deletionPropagationPolicy").toLowerCase();
  if (policy === "orphan") return "Orphan";
  return policy === "background" ? "Background" : "Foreground";
}

async function deleteUnreachable({ settings, log, unreachableReason }: Session, urn: string): Promise<void> {
  await log.say("WARNING", urn, `configured Kubernetes cluster is unreachable: ${unreachableReason}`);
  if (!settings.deleteUnreachable) {
    throw new Error(`configured Kubernetes cluster is unreachable. ${deleteUnreachableAdvice}`);
  }
  await log.say("INFO", urn, `${deleteUnreachableNote} Deleting the unreachable resource from Pulumi state`);
}
