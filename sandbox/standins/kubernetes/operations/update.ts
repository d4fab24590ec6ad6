/** Update: a server-side apply by the field manager in the state. */
import { InitFailed } from "../../../../buckets/protocol/messages.ts";
import {
  at,
  containsUnknowns,
  isProps,
  type Props,
  plain,
  propsOf,
  type Value,
} from "../../../../buckets/protocol/values.ts";
import { messageOf } from "../../../../cluster/api/errors.ts";
import { awaitReady } from "../await/await.ts";
import { ApiError } from "../cluster/api.ts";
import type { ApplyOptions, Cluster } from "../cluster/cluster.ts";
import { NoMatchError } from "../cluster/kinds.ts";
import { normalize } from "../objects/normalize.ts";
import {
  annotation,
  checkpoint,
  idOf,
  nameOf,
  newFieldManager,
  parseCheckpoint,
  withMetadata,
} from "../objects/objects.ts";
import { applyForced, conflictExplained, owns, takeOver } from "../objects/ownership.ts";
import { reachableCluster, type Session, waiterOf } from "../session.ts";

interface UpdateRequest {
  urn: string;
  state: Props;
  news: Props;
  preview: boolean;
  customTimeout: number;
  ignoreChanges: string[];
}

export async function update(session: Session, request: UpdateRequest): Promise<Props> {
  const { urn, news, preview, customTimeout } = request;
  const inputs = normalize(plain(news));
  const { cluster: maybe, settings } = session;
  if (preview && (!maybe || containsUnknowns(inputs) || !(await maybe.kinds.exists(inputs)))) {
    return news;
  }
  const cluster = reachableCluster(session);
  if (!settings.serverSideApply) {
    throw new Error("the sandbox's stand-in updates with server-side apply only: enableServerSideApply is false");
  }

  const old = parseCheckpoint(request.state);
  const fieldManager = annotation(inputs, "patchFieldManager") || old.fieldManager || newFieldManager();
  const state = (live: Props): Props =>
    checkpoint({ inputs, live, given: news, fieldManager, initialApiVersion: old.initialApiVersion });
  try {
    const written = await apply(session, cluster, request, inputs, old.live, fieldManager);
    if (preview) {
      return state(written);
    }
    const live = await awaitReady(written, inputs, waiterOf(session, cluster, urn, customTimeout));
    if (old.fieldManager && old.fieldManager !== fieldManager) {
      await relinquish(cluster, live, old.fieldManager);
    }
    return state(live);
  } catch (error) {
    if (preview && error instanceof ApiError && error.is("Forbidden")) {
      return news;
    }
    throw await updateError(error, urn, cluster, old.live, state);
  }
}

/** Gives up all fields of the manager; fields without another owner return to their defaults. */
async function relinquish(cluster: Cluster, object: Props, fieldManager: string): Promise<void> {
  const { namespace, name } = propsOf(object.metadata);
  const metadata: Props = namespace ? { namespace, name: name ?? null } : { name: name ?? null };
  const identity = { apiVersion: object.apiVersion ?? null, kind: object.kind ?? null, metadata };
  await cluster.apply(identity, { dryRun: false, fieldManager, force: false, lenient: false });
}

async function apply(
  { settings }: Session,
  cluster: Cluster,
  { preview, ignoreChanges }: UpdateRequest,
  inputs: Props,
  lastLive: Props,
  fieldManager: string,
): Promise<Props> {
  const found = await cluster.get(withMetadata(inputs, { name: nameOf(lastLive) }));
  const live = preview ? found : await ownedBy(cluster, found, fieldManager);
  const wanted = ignoreChanges.reduce((object, path) => withoutIgnored(object, live, path, fieldManager), inputs);
  const force = applyForced(live, settings.patchForce, preview);
  const options: ApplyOptions = { dryRun: preview, fieldManager, force, lenient: false };
  return await cluster
    .apply(wanted, options)
    .catch((error: unknown) => Promise.reject(conflictExplained(error, fieldManager)));
}

/** A controller may write between the read and the patch, so that a conflict is retried. */
async function ownedBy(cluster: Cluster, found: Props, fieldManager: string, chances = 5): Promise<Props> {
  const patch = takeOver(found, fieldManager);
  if (patch.length === 0) {
    return found;
  }
  return await cluster.patch(found, patch).catch(async (error: unknown) => {
    if (chances === 0 || !(error instanceof ApiError && error.is("Conflict"))) {
      throw error;
    }
    return await ownedBy(cluster, await cluster.get(found), fieldManager, chances - 1);
  });
}

/** An ignored field stays with its manager; without a manager, it keeps its live value. */
function withoutIgnored(inputs: Props, live: Props, path: string, fieldManager: string): Props {
  const steps = path.split(".");
  const { ours, theirs } = owns(live, steps, fieldManager);
  if (theirs && !ours) {
    return propsOf(withField(inputs, steps, undefined));
  }
  const last = at(live, ...steps);
  return last === undefined ? inputs : propsOf(withField(inputs, steps, last));
}

function withField(object: Value, [step, ...rest]: string[], value: Value | undefined): Value {
  if (step === undefined || !isProps(object)) {
    return object;
  }
  const { [step]: field, ...others } = object;
  if (rest.length > 0) {
    return { ...others, [step]: withField(field ?? {}, rest, value) };
  }
  return value === undefined ? others : { ...others, [step]: value };
}

/** After any failure the object still exists: Pulumi gets its live state, if that can be read. */
async function updateError(
  error: unknown,
  urn: string,
  cluster: Cluster,
  lastLive: Props,
  state: (live: Props) => Props,
): Promise<Error> {
  const message = messageOf(error);
  if (error instanceof NoMatchError) {
    return error.during("update", urn);
  }
  return await cluster.get(lastLive).then(
    (live) =>
      new InitFailed(
        `the Kubernetes API server reported that ${JSON.stringify(idOf(live))} failed to fully initialize or become live: ${message}`,
        { id: idOf(live), state: state(live), reasons: Object(error).reasons ?? [] },
      ),
    (unread: Error) =>
      new Error(
        `update of resource ${JSON.stringify(urn)} failed: ${message}\nunable to get cluster state: ${unread.message}`,
      ),
  );
}
