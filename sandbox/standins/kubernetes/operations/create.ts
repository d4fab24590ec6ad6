/** Create: a POST, or a server-side apply if the object may exist already. */
import { setTimeout } from "node:timers/promises";
import { InitFailed } from "../../../../buckets/protocol/messages.ts";
import { containsUnknowns, type Props, plain, textAt } from "../../../../buckets/protocol/values.ts";
import { messageOf } from "../../../../cluster/api/errors.ts";
import { awaitReady } from "../await/await.ts";
import { NotReady } from "../await/waiting.ts";
import { ApiError } from "../cluster/api.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { NoMatchError } from "../cluster/kinds.ts";
import { annotation, checkpoint, createFieldManager, idOf, newFieldManager } from "../objects/objects.ts";
import { applyForced, conflictExplained } from "../objects/ownership.ts";
import { reachableCluster, type Session, waiterOf } from "../session.ts";

interface CreateRequest {
  urn: string;
  properties: Props;
  preview: boolean;
  customTimeout: number;
}
interface Created {
  id: string;
  properties: Props;
}

const retryPauses = [1, 2, 4, 8, 16, 32];

export async function create(session: Session, request: CreateRequest): Promise<Created> {
  const { urn, properties, preview, customTimeout } = request;
  const inputs = plain(properties);
  const echo = { id: "", properties };
  if (preview && (await isBeyondPreview(session, inputs))) {
    return echo;
  }
  const cluster = reachableCluster(session);

  const fieldManager = annotation(inputs, "patchFieldManager") || newFieldManager();
  const state = (live: Props): Props => {
    const initialApiVersion = textAt(inputs, "apiVersion");
    return checkpoint({ inputs, live, given: properties, fieldManager, initialApiVersion });
  };
  let written: Props;
  try {
    written = await writeWithRetries(session, cluster, request, inputs, fieldManager);
  } catch (error) {
    if (preview && isPreviewLimit(error)) {
      return echo;
    }
    if (!preview || !isImmutable(error)) {
      throw creationError(urn, error);
    }
    // The object to replace still has the name: the official plugin previews the new one under another.
    written = await writeWithRetries(session, cluster, request, renamed(inputs), fieldManager);
  }
  // A dry run's status has no facts yet, but would look like them.
  if (preview) {
    return { id: "", properties: state(withoutStatus(written)) };
  }
  try {
    const live = await awaitReady(written, inputs, waiterOf(session, cluster, urn, customTimeout));
    return { id: idOf(live), properties: state(live) };
  } catch (error) {
    const failure = error instanceof NotReady ? error : new NotReady(String(Object(error).message), written);
    throw new InitFailed(
      `resource ${JSON.stringify(urn)} was successfully created, but the Kubernetes API server reported that it failed to fully initialize or become live: ${failure.message}`,
      { id: idOf(failure.object), state: state(failure.object), reasons: failure.reasons },
    );
  }
}

/** Whether no dry run is possible: then Pulumi's preview shows the inputs. */
async function isBeyondPreview({ cluster, settings }: Session, inputs: Props): Promise<boolean> {
  if (!cluster || !settings.serverSideApply || containsUnknowns(inputs)) {
    return true;
  }
  return !(await cluster.kinds.exists(inputs));
}

/** A missing namespace or custom kind may be created soon: the official plugin retries for about a minute. */
async function writeWithRetries(
  session: Session,
  cluster: Cluster,
  { urn, preview }: CreateRequest,
  inputs: Props,
  fieldManager: string,
): Promise<Props> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await write(session, cluster, inputs, { dryRun: preview, fieldManager });
    } catch (error) {
      if (preview && isMissingNamespace(error)) {
        throw error;
      }
      await session.log.status(urn, `Retry #${attempt}; creation failed: ${Object(error).message}`);
      const pause = retryPauses[attempt];
      const mayPass = error instanceof NoMatchError || (error instanceof ApiError && error.is("NotFound"));
      if (!mayPass || pause === undefined) {
        throw error;
      }
      await setTimeout(pause * 1000, undefined, { signal: session.signal });
      // The official plugin also sleeps once more before it gives up.
      if (attempt === retryPauses.length - 1) {
        throw error;
      }
    }
  }
}

async function write(
  { settings }: Session,
  cluster: Cluster,
  inputs: Props,
  options: { dryRun: boolean; fieldManager: string },
): Promise<Props> {
  if (!settings.serverSideApply || !settings.upsertExistingObjects) {
    return await cluster.create(inputs, { ...options, fieldManager: createFieldManager });
  }
  const force = applyForced(undefined, settings.patchForce, options.dryRun);
  return await cluster
    .apply(inputs, { ...options, force, lenient: true })
    .catch((error: unknown) => Promise.reject(conflictExplained(error, options.fieldManager)));
}

function isMissingNamespace(error: unknown): boolean {
  return error instanceof ApiError && error.is("NotFound") && textAt(error.status, "details", "kind") === "namespaces";
}

function isPreviewLimit(error: unknown): boolean {
  if (!(error instanceof ApiError)) {
    return false;
  }
  return error.is("Forbidden") || error.is("AlreadyExists") || isMissingNamespace(error);
}

function isImmutable(error: unknown): boolean {
  return error instanceof ApiError && error.is("Invalid") && error.message.includes("field is immutable");
}

function renamed(inputs: Props): Props {
  const metadata = inputs.metadata as Props;
  return { ...inputs, metadata: { ...metadata, name: `${textAt(inputs, "metadata", "name")}-preview` } };
}

function creationError(urn: string, error: unknown): Error {
  if (error instanceof NoMatchError) {
    return error.during("creation", urn);
  }
  const advice = error instanceof ApiError && error.is("AlreadyExists") ? alreadyExistsAdvice : "";
  const refusal = "was not successfully created by the Kubernetes API server";
  return new Error(`resource ${JSON.stringify(urn)} ${refusal}: ${messageOf(error)}${advice}`);
}

const alreadyExistsAdvice = `

The resource already exists in the cluster. This can happen when:

  - Renaming a Pulumi resource: use an alias to preserve the identity,
    or use deleteBeforeReplace if the resource needs replacement.
  - Managing an existing resource: use a Patch resource (e.g. NamespacePatch)
    to manage specific fields without owning the resource lifecycle.
  - Adopting a resource into Pulumi: use \`pulumi import\`. Note that
    protected resources (e.g. kube-system) cannot be deleted on destroy.
  - Intentional upsert: set upsertExistingObjects on the provider to allow
    server-side apply to update existing objects on create.`;

function withoutStatus({ status: _, ...rest }: Props): Props {
  return rest;
}
