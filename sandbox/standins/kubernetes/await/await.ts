/** Waits after a creation, change or deletion, according to the object's kind and annotations. */
import { type Props, textAt } from "../../../../buckets/protocol/values.ts";
import { ApiError } from "../cluster/api.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { isAnnotated, nameOf, namespaceOf, timeoutSeconds } from "../objects/objects.ts";
import { type Judge, type JudgeContext, judgeFor } from "./readiness.ts";
import { type Look, NotReady, waitUntilReady } from "./waiting.ts";

interface Observer {
  cluster: Cluster;
}

export interface Waiter extends Observer {
  signal: AbortSignal;
  /** Seconds, from the resource's customTimeouts; 0 for none. */
  customTimeout: number;
  readonly status: (message: string) => Promise<void>;
}

/** The live object once it is ready. @throws NotReady */
export async function awaitReady(written: Props, inputs: Props, waiter: Waiter): Promise<Props> {
  const { cluster, signal, status } = waiter;
  return await withEvents(written, waiter, async () => {
    if (isAnnotated(inputs, "skipAwait")) {
      await status("Skipping await logic");
      return written;
    }
    const seconds = timeoutSeconds(inputs, waiter.customTimeout);
    const judge = judgeFor(written, { reading: false, find: watched(written, cluster) });
    if (!judge) {
      return written;
    }
    await status(`Waiting for ${written.kind} ${nameOf(written)} to be ready`);
    const look = judge.polls
      ? async () => {
          const object = await cluster.get(written);
          return { object, ...(await judge.judge(object)) };
        }
      : following(written, cluster, (object) => judge.judge(object));
    const patience = {
      seconds: judge.fixedSeconds ?? seconds,
      signal,
      timedOut: judge.timedOut(nameOf(written)),
    };
    return await waitUntilReady(written, look, patience);
  });
}

/** Shows warning Events about the object during the wait. */
async function withEvents<T>(object: Props, { cluster, status }: Waiter, wait: () => Promise<T>): Promise<T> {
  const uid = textAt(object, "metadata", "uid");
  const events = cluster.informers.of({ apiVersion: "v1", kind: "Event" }, namespaceOf(object));
  const end = events.listen((event) => {
    if (event.type !== "Warning" || textAt(event, "involvedObject", "uid") !== uid) {
      return;
    }
    void status(`${textAt(event, "reason")}: ${textAt(event, "message")}`);
  });
  return await wait().finally(end);
}

/** Reads the object from a watch of its kind; after a deletion, from the API server. */
function following(written: Props, cluster: Cluster, judge: Judge["judge"]): () => Promise<Look> {
  const informer = cluster.informers.of(typeOf(written), namespaceOf(written));
  let seen = false;
  return async () => {
    const known = informer.find(written);
    seen ||= known !== undefined;
    // If the API server says that the object doesn't exist, the wait ends.
    const found = known ?? (seen ? await cluster.get(written) : undefined);
    if (!found || version(found) < version(written)) {
      return { object: written, ready: false, reasons: [] };
    }
    return { object: found, ...(await judge(found)) };
  };
}

/** Judges once, as a refresh does. @throws NotReady */
export async function judgeNow(live: Props, inputs: Props, { cluster }: Observer): Promise<void> {
  if (isAnnotated(inputs, "skipAwait")) {
    return;
  }
  const verdict = await judgeFor(live, { reading: true, find: listed(live, cluster) })?.judge(live);
  if (verdict && !verdict.ready) {
    const message = `Resource '${nameOf(live)}' was created but failed to initialize`;
    throw new NotReady(message, live, verdict.reasons);
  }
}

const skippableDeletes = /\/(Namespace|Pod|ReplicationController|DaemonSet|Deployment|StatefulSet|Job)$/;

/** @throws NotReady if the object still exists at the end */
export async function awaitDeleted(object: Props, inputs: Props, waiter: Waiter): Promise<void> {
  const { apiVersion, kind } = typeOf(inputs);
  const { cluster, signal } = waiter;
  await withEvents(object, waiter, async () => {
    if (isAnnotated(inputs, "skipAwait") && skippableDeletes.test(`${apiVersion}/${kind}`)) {
      return;
    }
    const informer = cluster.informers.of(typeOf(object), namespaceOf(object));
    const look = async () => {
      const known = informer.find(object);
      // The watch may not have received a new object yet.
      const gone = informer.synced && !known && (await cluster.get(object).catch(absent)) === undefined;
      return { object: known ?? object, ready: gone, reasons: [] };
    };
    const seconds = timeoutSeconds(inputs, waiter.customTimeout);
    await waitUntilReady(object, look, { seconds, signal, timedOut: "timed out waiting for the condition" });
  });
}

/** Finds an object in a watch of its kind. */
function watched(object: Props, { informers }: Cluster): JudgeContext["find"] {
  const namespace = namespaceOf(object);
  return async (kind, name) => {
    return informers.of({ apiVersion: "v1", kind }, namespace).find({ metadata: { namespace, name } });
  };
}

/** Finds an object in a single list; a refused list counts as empty. */
function listed(object: Props, cluster: Cluster): JudgeContext["find"] {
  return async (kind, name) => {
    const found = await cluster.list({ apiVersion: "v1", kind }, namespaceOf(object)).catch(() => []);
    return found.find((each) => nameOf(each) === name);
  };
}

function typeOf(object: Props): { apiVersion: string; kind: string } {
  return { apiVersion: textAt(object, "apiVersion"), kind: textAt(object, "kind") };
}

function version(object: Props): number {
  return Number(textAt(object, "metadata", "resourceVersion"));
}

function absent(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 404)) {
    throw error;
  }
}
