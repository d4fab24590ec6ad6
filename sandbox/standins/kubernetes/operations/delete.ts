/** Delete: waits until the object is gone. */
import { InitFailed } from "../../../../buckets/protocol/messages.ts";
import { at, type Props } from "../../../../buckets/protocol/values.ts";
import { awaitDeleted } from "../await/await.ts";
import { NotReady } from "../await/waiting.ts";
import { ApiError } from "../cluster/api.ts";
import { NoMatchError } from "../cluster/kinds.ts";
import {
  annotation,
  checkpoint,
  idOf,
  newFieldManager,
  parseCheckpoint,
  parseId,
  withMetadata,
} from "../objects/objects.ts";
import { type Session, waiterOf } from "../session.ts";
import { unreachableAdvice } from "./read.ts";

interface DeleteRequest {
  urn: string;
  id: string;
  state: Props;
  customTimeout: number;
}

export async function deleteObject(session: Session, request: DeleteRequest): Promise<void> {
  const { urn, id, state, customTimeout } = request;
  const { cluster, log } = session;
  if (!cluster) {
    await log.say("WARNING", urn, `configured Kubernetes cluster is unreachable: ${session.unreachableReason}`);
    throw new Error(`configured Kubernetes cluster is unreachable. ${unreachableAdvice}`);
  }

  const { inputs, live, fieldManager = newFieldManager(), initialApiVersion } = parseCheckpoint(state);
  const object = withMetadata(live, { name: parseId(id).name });
  try {
    await cluster.delete(object, propagationOf(inputs));
    await awaitDeleted(object, inputs, waiterOf(session, cluster, urn, customTimeout));
  } catch (error) {
    if (error instanceof NoMatchError || (error instanceof ApiError && error.code === 404)) {
      return;
    }
    if (!(error instanceof NotReady)) {
      throw new Error(`deleting ${JSON.stringify(urn)} failed: ${Object(error).message}`);
    }
    const finalizers = at(error.object, "metadata", "finalizers");
    await log.say("WARNING", urn, `finalizers might be preventing deletion (${String(finalizers ?? "")})`);
    const left = { inputs, live: error.object, given: state, fieldManager, initialApiVersion };
    throw new InitFailed(error.message, { id: idOf(error.object), state: checkpoint(left), reasons: error.reasons });
  }
}

function propagationOf(inputs: Props): string {
  const policy = annotation(inputs, "deletionPropagationPolicy").toLowerCase();
  if (policy === "orphan") {
    return "Orphan";
  }
  return policy === "background" ? "Background" : "Foreground";
}
