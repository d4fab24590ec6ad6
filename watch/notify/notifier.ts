import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { messageOf, UnconfirmedError } from "../../cluster/api/errors.ts";
import { objectKey } from "../../cluster/kinds/objectName.ts";
import { memberLabel, noticesAnnotation, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { NotifySettings } from "../../config/notify.ts";
import {
  annotationOf,
  type Coming,
  comingOf,
  type News,
  newsOf,
  noticeLook,
  type ToldNotices,
  toldIn,
  withUnsent,
} from "../../plan/findings/coming.ts";
import type { Planned } from "../../plan/members/plan.ts";
import type { LiveSnapshot } from "../live/liveObjects.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Notice } from "../telemetry/notices.ts";
import { channelsOf, messageAbout } from "./channels.ts";
import { Outlet } from "./outlet.ts";
import type { writeAnnotations } from "./writeAnnotations.ts";

interface NotifierParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Sends the member an Event, or returns false. */
  readonly notify: (notice: Notice) => boolean;
  readonly write: typeof writeAnnotations;
  readonly channelsOf: typeof channelsOf;
  /** Aborted when another watch may tell: from then on, this one tells nothing. Default: never. */
  readonly lost: AbortSignal;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly date: () => Date;
}

/** Milliseconds until what could not be remembered is tried again. */
const retry = 30_000;

/**
 * Tells members and admins what comes, each thing once. An annotation of the member's namespace remembers it, and is
 * written first: a watch that is killed in between has told too little rather than the same twice.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  /** Notices that this watch has sent, by member: the informer may not show them yet. */
  readonly #memories = new Map<string, Memory>();
  #settings: NotifySettings | undefined;
  #outlets: readonly Outlet[] = [];
  #telling: Promise<void> | undefined;
  #refused: string | undefined;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(parts: Pick<NotifierParts, "log" | "metrics" | "notify" | "write" | "now"> & Partial<NotifierParts>) {
    this.#parts = { channelsOf, lost: new AbortController().signal, date: () => new Date(), ...parts };
  }

  /** Tells what is new, unless it is telling something already: then the next look does. */
  look(plan: Planned<LiveSnapshot>): void {
    const { metrics, date, log, now, lost } = this.#parts;
    const members = plan.members.filter(({ member }) => isHere(member, plan));
    const all = comingOf(noticeLook({ ...plan, members }, date()));
    metrics.expect(all);
    if (lost.aborted || now() < this.#notBefore) {
      return;
    }
    this.#telling ??= this.#tell(all, { ...plan, members })
      .catch((error: unknown) => log.error({ action: "notices failed", reason: messageOf(error) }, "a bug"))
      .finally(() => {
        this.#telling = undefined;
      });
  }

  async flush(): Promise<void> {
    await this.#telling;
  }

  async #tell(all: readonly Coming[], { settings, snapshot, members }: Planned<LiveSnapshot>): Promise<void> {
    this.#configure(settings.notify);
    const channels = {
      all: this.#outlets.map(({ name }) => name),
      free: this.#outlets.filter(({ isFree }) => isFree).map(({ name }) => name),
    };
    const byMember = Map.groupBy(all, ({ finding }) => finding.member);
    const news = new Map<string, News>();
    const homes = new Map(members.map(({ member }) => [member.name, homeOf(member, snapshot)]));
    this.#forgetOthers(homes);
    for (const { member } of members) {
      const before = this.#toldOf(member.name, homes);
      const next = newsOf(byMember.get(member.name) ?? [], before, channels);
      if (!isDeepStrictEqual(next.told, before)) {
        news.set(member.name, next);
      }
    }
    if (news.size === 0) {
      return;
    }
    const context = settings.cluster.context;
    const kept = await this.#remember(new Map([...news].map(([name, { told }]) => [name, told])), homes, context);
    if (this.#parts.lost.aborted) {
      return;
    }
    const recorded = [...news].filter(([name]) => kept.has(name)).map(([, one]) => one);
    for (const { finding } of recorded.flatMap(({ fresh }) => fresh)) {
      if (this.#parts.notify(finding)) {
        this.#parts.log.info({ action: "told", ...finding }, `told ${finding.member} what comes`);
      }
    }
    const failed = await Promise.all(
      this.#outlets.map(async (outlet) => {
        const sent = new Set(recorded.flatMap(({ messages }) => messages.get(outlet.name) ?? []));
        const nearestFirst = all.filter((one) => sent.has(one));
        const message = messageAbout(
          settings.stack,
          nearestFirst.map(({ finding }) => finding),
        );
        const isTaken = nearestFirst.length === 0 || (await outlet.send(message));
        return [outlet.name, isTaken ? [] : nearestFirst] as const;
      }),
    );
    const unsent = this.#withUnsent(failed);
    const keptUnsent = await this.#remember(unsent, homes, context);
    // This watch sends it again even if it can't be remembered now.
    for (const [name, one] of unsent) {
      if (!keptUnsent.has(name)) {
        this.#memories.set(name, { uid: homes.get(name)?.uid, told: one });
      }
    }
  }

  #withUnsent(failed: readonly (readonly [channel: string, unsent: readonly Coming[]])[]) {
    const told = new Map<string, ToldNotices>();
    for (const [channel, coming] of failed) {
      for (const [name, all] of Map.groupBy(coming, ({ finding }) => finding.member)) {
        const keys = all.map(({ key }) => key);
        told.set(name, withUnsent(told.get(name) ?? this.#memories.get(name)?.told ?? new Map(), keys, channel));
      }
    }
    return told;
  }

  /** @returns names of members whose annotation was written */
  async #remember(
    told: ReadonlyMap<string, ToldNotices>,
    homes: ReadonlyMap<string, Home>,
    context: string | undefined,
  ): Promise<ReadonlySet<string>> {
    if (told.size === 0 || this.#parts.lost.aborted) {
      return new Set();
    }
    const { write, log, now, lost } = this.#parts;
    const writes = new Map(
      [...told].map(([name, one]) => {
        const { uid, shown } = homes.get(name) ?? {};
        const { written = { value: shown } } = this.#memories.get(name) ?? {};
        return [namespaceName({ name }), { uid, before: written.value, after: annotationOf(one) }];
      }),
    );
    const refused = await write(writes, context, lost);
    const kept = new Set<string>();
    for (const [name, one] of told) {
      const uid = homes.get(name)?.uid;
      const written = { value: annotationOf(one) };
      const error = refused.get(namespaceName({ name }));
      if (error === undefined) {
        kept.add(name);
        this.#memories.set(name, { uid, told: one, written });
      } else if (error instanceof UnconfirmedError) {
        // The test of the next write shows whether it is there; nobody has been told.
        this.#memories.set(name, { uid, told: this.#toldOf(name, homes), written });
      } else {
        // Somebody else may have written there, so the next look goes by what the cluster shows.
        this.#memories.delete(name);
      }
    }
    const [reason] = [...refused.values()].map(messageOf);
    if (reason !== undefined && reason !== this.#refused) {
      log.warn(
        { action: "notices refused", members: refused.size, reason },
        "the notices could not be recorded, so they are sent later",
      );
    }
    this.#refused = reason ?? (now() < this.#notBefore ? this.#refused : undefined);
    // A refused write of this look waits, whether or not the next one succeeds.
    if (reason !== undefined) {
      this.#notBefore = now() + retry;
    }
    return kept;
  }

  #toldOf(name: string, homes: ReadonlyMap<string, Home>): ToldNotices {
    return this.#memories.get(name)?.told ?? toldIn(homes.get(name)?.shown);
  }

  /** A namespace that is made again, under another UID, remembers nothing. */
  #forgetOthers(homes: ReadonlyMap<string, Home>): void {
    for (const [name, { uid }] of [...this.#memories]) {
      const home = homes.get(name);
      if (home === undefined || home.uid !== uid) {
        this.#memories.delete(name);
      }
    }
  }

  #configure(settings: NotifySettings): void {
    if (!isDeepStrictEqual(settings, this.#settings)) {
      const { log, metrics, now } = this.#parts;
      this.#settings = settings;
      this.#outlets = this.#parts.channelsOf(settings).map((channel) => new Outlet(channel, log, metrics, now));
    }
  }
}

/** A member's namespace, with its annotation as the informer shows it. */
type Home = ReturnType<typeof homeOf>;

interface Memory {
  readonly uid: string | undefined;
  readonly told: ToldNotices;
  /** The annotation after the last write, also if that is unconfirmed; undefined if it was refused. */
  readonly written?: { readonly value: string | undefined };
}

const homeOf = (member: { readonly name: string }, { namespaces, managedObjects }: LiveSnapshot) => ({
  uid: namespaces.get(namespaceName(member))?.uid,
  shown: managedObjects.get(objectKey("Namespace", namespaceName(member)))?.annotations[noticesAnnotation],
});

/** Whether a member's namespace is there, this stack's, and not being deleted. */
function isHere(
  member: { readonly name: string },
  { settings, snapshot }: Pick<Planned<LiveSnapshot>, "settings" | "snapshot">,
) {
  const home = snapshot.namespaces.get(namespaceName(member));
  const { [stackLabel]: stack, [memberLabel]: owner } = home?.labels ?? {};
  return home !== undefined && !home.terminating && stack === settings.stack && owner === member.name;
}
