import type { CoreV1Event } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { failuresOf } from "../../cluster/inParallel.ts";
import { kindEntry, listPath } from "../../cluster/kinds/kinds.ts";
import { type ObjectName, objectNameOf } from "../../cluster/kinds/objectName.ts";
import { manifestKind } from "../../config/names/customKinds.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import { firstFew } from "../../config/values/sentences.ts";
import type { Finding } from "../../plan/words/finding.ts";
import { type NoticeCode, noticeText } from "../../plan/words/notices.ts";

/** A message for a member about an object (`objectKey`); default: the member's Service. */
export type Notice = Finding<NoticeCode> & { readonly member: string };

const component = "kubecamp-watch";
/** Most Events to queue: nobody reads more, and while the API server refuses them the queue must not grow. */
const mostWaiting = 1_000;
/** Time limit for sending the queue, in milliseconds: a late Event is of no use. */
const patience = 10_000;
const shown = 3;

/**
 * Sends members Kubernetes Events in their own namespaces, which `kubectl get events` shows.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
 */
export class Notices {
  readonly #context: () => string | undefined;
  readonly #failed: (message: string) => void;
  readonly #written: (code: NoticeCode) => void;
  #waiting: WaitingEvent[] = [];
  /** Events beyond the most, since the last report. */
  #dropped = 0;
  #sending: Promise<void> | undefined;

  constructor(
    context: () => string | undefined,
    failed: (message: string) => void,
    written: (code: NoticeCode) => void,
  ) {
    this.#context = context;
    this.#failed = failed;
    this.#written = written;
  }

  /** @returns whether the Event is queued */
  notify(notice: Notice): boolean {
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped++;
      return false;
    }
    this.#waiting.push({ code: notice.code, event: eventOf(notice, new Date()) });
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return true;
  }

  async flush(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    // Sends the notices of one tick together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      if (this.#dropped > 0) {
        this.#failed(`${this.#dropped} Events were dropped: no more than ${mostWaiting} wait to be written`);
        this.#dropped = 0;
      }
      await this.#write(events).catch((error: Error) => this.#failed(error.message));
    }
  }

  async #write(events: readonly WaitingEvent[]): Promise<void> {
    const target = findApiTarget(this.#context());
    const write = async (api: ApiServer, { code, event }: WaitingEvent) => {
      const { namespace } = event.metadata;
      const what = `write an Event in namespace '${namespace}'`;
      await api.write({ what, method: "POST", path: listPath("Event", namespace), body: event });
      this.#written(code);
    };
    // An Event in a namespace that is being deleted is refused; the others still count.
    const all = (api: ApiServer) => failuresOf(events, (one) => write(api, one));
    const refused = [...(await withApiServer(target, { patience }, all, "watch")).values()];
    if (refused.length > 0) {
      throw new Error(firstFew(refused, shown));
    }
  }
}

interface WaitingEvent {
  readonly code: NoticeCode;
  readonly event: CoreV1Event;
}

export function eventOf(notice: Notice, at: Date): CoreV1Event {
  const { code, member, object } = notice;
  const namespace = namespaceName({ name: member });
  const service: ObjectName = { kind: "Service", name: serviceName({ name: member }), namespace };
  const meant = object === undefined ? service : objectNameOf(object);
  // The API server refuses an Event about an object outside the Event's namespace.
  const { kind, name } = meant.namespace === namespace ? meant : service;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { apiVersion: kindEntry(kind).apiVersion, kind: manifestKind(kind), namespace, name },
    // Kubernetes writes reasons with a capital: `RouteOpened`.
    reason: `${code.charAt(0).toUpperCase()}${code.slice(1)}`,
    message: noticeText(notice).slice(0, longestMessage),
    type: isNormal.includes(code) ? "Normal" : "Warning",
    source: { component },
    reportingComponent: component,
    count: 1,
    firstTimestamp: at,
    lastTimestamp: at,
  };
}

/** The others tell of something that the member may want to change. */
const isNormal: readonly NoticeCode[] = ["fellAsleep", "routeOpened", "sleepsSoon", "wokeUp"];

/** The API server's limit, in characters. */
const longestMessage = 1_024;
