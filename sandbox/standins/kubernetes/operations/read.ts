/** Read: gets the live object for refresh, import and `.get`. */
import { InitFailed } from "../../../../buckets/protocol/messages.ts";
import { type Props, plain, propsOf, textAt } from "../../../../buckets/protocol/values.ts";
import { judgeNow } from "../await/await.ts";
import { NotReady } from "../await/waiting.ts";
import { ApiError } from "../cluster/api.ts";
import { NoMatchError } from "../cluster/kinds.ts";
import { normalize } from "../objects/normalize.ts";
import {
  annotation,
  checkpoint,
  idOf,
  newFieldManager,
  parseCheckpoint,
  parseId,
  prune,
  typeOf,
} from "../objects/objects.ts";
import { markSecrets } from "../objects/secrets.ts";
import type { Session } from "../session.ts";

interface ReadRequest {
  urn: string;
  id: string;
  inputs: Props;
  state: Props;
}
interface ReadAnswer {
  /** Empty if the object is gone. */
  id: string;
  inputs: Props;
  state: Props;
}

const gone: ReadAnswer = { id: "", inputs: {}, state: {} };
/** Fields and annotations that the cluster writes, and no program. */
const notInputs = ["creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"];
const notAnnotations = ["deployment.kubernetes.io/revision", "kubectl.kubernetes.io/last-applied-configuration"];

export async function read(session: Session, request: ReadRequest): Promise<ReadAnswer> {
  const { cluster } = session;
  if (!cluster) {
    const reason = `configured Kubernetes cluster is unreachable: ${session.unreachableReason}`;
    await session.log.say("WARNING", request.urn, reason);
    throw new Error(`failed to read resource state due to unreachable cluster. ${unreachableAdvice}`);
  }
  const old = parseCheckpoint(request.state);
  const known = normalize(plain(request.inputs));
  const type = [known, old.live].find((object) => textAt(object, "kind")) ?? typeOf(request.urn);
  const imported = !textAt(known, "kind") && !textAt(old.live, "kind");
  const place = placeOf(request.id, known);
  const wanted = { apiVersion: textAt(type, "apiVersion"), kind: textAt(type, "kind"), metadata: place };

  let live: Props;
  try {
    live = await cluster.get(wanted);
  } catch (error) {
    if (error instanceof NoMatchError || (error instanceof ApiError && error.code === 404)) {
      return gone;
    }
    throw new Error(`reading ${JSON.stringify(request.urn)} failed: ${Object(error).message}`);
  }
  const inputs = imported ? importedInputs(live) : prune(live, { ...wanted, ...known });
  const fieldManager = annotation(known, "patchFieldManager") || old.fieldManager || newFieldManager();
  const initialApiVersion = old.initialApiVersion || textAt(wanted, "apiVersion");
  const given = request.inputs;
  const state = checkpoint({ inputs, live, given, fieldManager, initialApiVersion });
  const answer = { id: request.id || idOf(live), inputs: markSecrets(inputs, given), state };
  if (imported) {
    return answer;
  }
  await judgeNow(live, known, { cluster }).catch((error: unknown) => {
    if (!(error instanceof NotReady)) {
      throw error;
    }
    throw new InitFailed(error.message, { ...answer, reasons: error.reasons });
  });
  return answer;
}

function placeOf(id: string, known: Props): Props {
  const { namespace, name } = parseId(id);
  if (!name) {
    throw new Error(`failed to read resource because of a failure to parse resource name from request ID: ${id}`);
  }
  const inNamespace = textAt(known, "metadata", "namespace") || namespace;
  return inNamespace ? { name, namespace: inNamespace } : { name };
}

function importedInputs({ status: _, ...live }: Props): Props {
  const metadata = Object.fromEntries(
    Object.entries(propsOf(live.metadata)).filter(([key]) => !notInputs.includes(key)),
  );
  const annotations = Object.entries(propsOf(metadata.annotations)).filter(([key]) => !notAnnotations.includes(key));
  if (metadata.annotations) {
    metadata.annotations = Object.fromEntries(annotations);
  }
  return { ...live, metadata };
}

/** The official plugin's advice, which kubecamp's report removes again. */
export const unreachableAdvice =
  'If the cluster was deleted, you can remove this resource from Pulumi state by rerunning the operation with the PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"';
