import type { Logger } from "pino";
import { keyOf, objectNameOf } from "../../cluster/kinds/objectName.ts";
import { liveOf } from "../../cluster/read/snapshot.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { stackLabel } from "../../config/names/labels.ts";
import { namespaceName, routeUrl } from "../../config/names/names.ts";
import { sleepText } from "../../config/schedule.ts";
import type { Settings } from "../../config/settings.ts";
import { minutesText } from "../../config/values/minutes.ts";
import type { Outlook } from "../../plan/decisions/readiness.ts";
import { wakeLeft } from "../../plan/decisions/wakeAnswer.ts";
import { heldText } from "../../plan/live/ending.ts";
import type { MemberPlan } from "../../plan/members/memberPlan.ts";
import type { Planned } from "../../plan/members/plan.ts";
import type { Divergence } from "../live/findings.ts";
import type { LiveSnapshot } from "../live/liveObjects.ts";
import type { Case, Changes } from "../schedule/cases.ts";
import type { Metrics } from "./metrics.ts";
import type { Notice } from "./notices.ts";

interface WatchLook {
  readonly plan: Planned<LiveSnapshot>;
  readonly changes: Changes;
  readonly present: readonly Case[];
  /** Time of the comparison, in milliseconds of the cases' clock. */
  readonly now: number;
}

type Known = Pick<MemberPlan, "member" | "readiness" | "route">;

interface Look extends Pick<WatchLook, "now"> {
  readonly known: ReadonlyMap<string, Known>;
  readonly snapshot: LiveSnapshot;
}

/** Milliseconds between two pending reasons for one member. */
const betweenReasons = 10_000;

/** Reports changes of routes and objects to admins and members: in the log, in the metrics and by Events. */
export class EventReporter {
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #notify: (notice: Notice) => void;
  /** Last reported or first seen reason why each member's route is pending; empty if it is not. */
  readonly #reasons = new Map<string, string>();
  /** Time of the last pending reason reported to each member. */
  readonly #reportedAt = new Map<string, number>();
  /** Routes with a first object live after an up to open them; open when the last object is live. */
  readonly #opening = new Map<string, Case>();
  /** Reasons, without numbers, why each namespace that is being deleted is still there. */
  #held: ReadonlyMap<string, string> = new Map();

  constructor(log: Logger, metrics: Metrics, notify: (notice: Notice) => void) {
    this.#log = log;
    this.#metrics = metrics;
    this.#notify = notify;
  }

  look({ plan: { members, snapshot, settings }, changes, present, now }: WatchLook): void {
    this.#ending(snapshot, settings);
    const known = new Map<string, Known>(members.map((plan) => [plan.member.name, plan]));
    const look: Look = { known, snapshot, now };
    // If no up was run, the difference went by itself or is no longer declared.
    for (const one of changes.gone.filter(({ tried }) => tried)) {
      this.#mended(one, look);
    }
    for (const [name, one] of this.#opening) {
      this.#opened(name, one, look);
    }
    const awaited = new Set(present.map(({ finding: { member, what } }) => `${member} ${what}`));
    for (const [name, { member, readiness }] of known) {
      // An Event needs a namespace that stays; and the Event for a closed route has its own reason.
      const home = snapshot.namespaces.get(namespaceName(member));
      if (home?.terminating === false && !awaited.has(`${name} route closes`)) {
        this.#pending(name, readiness, now);
      }
    }
    for (const name of [...this.#reasons.keys()].filter((each) => !known.has(each))) {
      this.#reasons.delete(name);
      this.#reportedAt.delete(name);
    }
    this.#metrics.countMembers(
      members.map(({ member: { name }, readiness: { state } }) =>
        state === "ready" && awaited.has(`${name} route opens`) ? "pending" : state,
      ),
    );
  }

  /** Reports namespaces that are being deleted, and again when something else keeps them, not fewer of the same. */
  #ending({ managedObjects }: LiveSnapshot, { stack }: Pick<Settings, "stack">): void {
    const held = new Map(
      [...managedObjects].flatMap(([key, { labels, terminating, content }]) => {
        const { kind, name } = objectNameOf(key);
        return kind === "Namespace" && terminating && labels[stackLabel] === stack ? [[name, heldText(content)]] : [];
      }),
    );
    for (const [namespace, text] of held) {
      if (this.#held.get(namespace) !== withoutNumbers(text)) {
        const reason = text.replace(/^: /, "");
        const about = { action: "namespace ending", namespace, reason };
        this.#log.info(about, `namespace ${namespace} is being deleted${text}`);
      }
    }
    for (const namespace of this.#held.keys()) {
      if (!held.has(namespace)) {
        this.#log.info({ action: "namespace gone", namespace }, `namespace ${namespace} is gone`);
      }
    }
    this.#held = new Map([...held].map(([namespace, text]) => [namespace, withoutNumbers(text)]));
    this.#metrics.endingNamespaces.reset();
    for (const member of held.keys()) {
      this.#metrics.endingNamespaces.set({ member }, 1);
    }
  }

  #mended(one: Case, { known, snapshot, now }: Look): void {
    const { finding, since, drift } = one;
    const { member: name, what, object = "" } = finding;
    const { member, readiness, route = [] } = known.get(name ?? "") ?? {};
    const seconds = Math.round(now - since) / 1000;
    if (name !== undefined && what === "route opens") {
      this.#opening.set(name, one);
    } else if (what === "falls asleep" || what === "wakes") {
      this.#slept(what, member, snapshot, seconds);
    } else if (what === "wake refused") {
      this.#refusedWake(member);
    } else if (what === "staff ends") {
      this.#log.info(
        { action: "staff ended", member: name, object, seconds },
        `took back access that was over: ${object}`,
      );
    } else if (what === "route closes") {
      this.#closed(name, readiness, seconds);
    } else if (what === "missing" && this.#opening.has(name ?? "") && route.some((part) => keyOf(part) === object)) {
      // The up that opens the route makes its objects one after the other.
    } else if (drift && liveOf(objectNameOf(object), snapshot) !== undefined) {
      this.#restored(finding, seconds);
    }
  }

  #closed(name: string | undefined, readiness: Outlook | undefined, seconds: number): void {
    if (name === undefined || readiness === undefined || readiness.state === "ready") {
      return;
    }
    const { reason } = readiness;
    this.#reasons.set(name, reason);
    const about = { action: "route closed", code: "routeClosed", member: name, reason, seconds };
    this.#log.info(about, `closed the route of ${name}`);
    this.#notify({ code: "routeClosed", member: name, facts: { reason } });
  }

  #restored({ member, what, object = "" }: Divergence, seconds: number): void {
    const change = what === "missing" ? "deleted" : "changed";
    this.#metrics.driftRepaired.inc({ kind: objectNameOf(object).kind });
    const about = { action: "drift repaired", code: "driftRepaired", member, object, change, seconds };
    this.#log.info(about, `put back ${object}, ${change} by hand`);
    if (member !== undefined) {
      this.#notify({ code: "driftRepaired", member, object, facts: { change } });
    }
  }

  #slept(what: "falls asleep" | "wakes", member: Member | undefined, live: LiveSnapshot, seconds: number): void {
    const isAsleep = member?.standing === "asleep";
    // Suspended in the meantime, or of another mind since, the member is told something else.
    if (member === undefined || isAsleep !== (what === "falls asleep") || !hasAccess(member)) {
      return;
    }
    const { name } = member;
    const notice = isAsleep
      ? ({
          code: "fellAsleep",
          member: name,
          facts: { text: sleepText(member), wakeFor: wakeLeft(member, live) },
        } as const)
      : ({ code: "wokeUp", member: name, facts: {} } as const);
    const about = { action: isAsleep ? "fell asleep" : "woke up", code: notice.code, member: name, seconds };
    this.#log.info(about, `${name} ${isAsleep ? "is asleep" : "is awake"}`);
    this.#notify(notice);
  }

  #refusedWake(member: Member | undefined): void {
    const { name, schedule: { ownWakes } = {} } = member ?? {};
    if (name !== undefined && ownWakes !== undefined) {
      const facts = { most: ownWakes.most, wakeFor: minutesText(ownWakes.minutes) };
      const about = { action: "wake refused", code: "wakeRefused", member: name };
      this.#log.info(about, `${name} may not wake again in this sleep`);
      this.#notify({ code: "wakeRefused", member: name, facts });
    }
  }

  #opened(name: string, { finding, since }: Case, { known, snapshot, now }: Look): void {
    const { member: { route } = {}, readiness } = known.get(name) ?? {};
    if (readiness?.state !== "ready" || route === undefined) {
      this.#opening.delete(name);
    } else if (snapshot.managedObjects.has(finding.object ?? "")) {
      this.#opening.delete(name);
      const url = routeUrl(route);
      const seconds = Math.round(now - since) / 1000;
      this.#metrics.routeOpen.observe(seconds);
      const about = { action: "route opened", code: "routeOpened", member: name, url, seconds };
      this.#log.info(about, `opened the route of ${name}`);
      this.#notify({ code: "routeOpened", member: name, facts: { url } });
    }
  }

  /**
   * Reports a new reason. The first one seen, at start-up or with a new namespace, is no news. A member who keeps changing
   * their Service gets the latest reason at a later comparison, so as not to flood the log and the API server.
   */
  #pending(member: string, readiness: Outlook, now: number): void {
    // In the morning, only what has changed since the evening is news.
    if (readiness.state === "asleep") {
      return;
    }
    const reason = readiness.state === "pending" ? readiness.reason : "";
    const reported = this.#reasons.get(member);
    const isNews = reason !== "" && reported !== undefined;
    if (
      reported === reason ||
      (isNews && now - (this.#reportedAt.get(member) ?? Number.NEGATIVE_INFINITY) < betweenReasons)
    ) {
      return;
    }
    this.#reasons.set(member, reason);
    if (isNews) {
      this.#reportedAt.set(member, now);
      const about = { action: "route pending", code: "routePending", member, reason };
      this.#log.info(about, `the route of ${member} can't be opened`);
      this.#notify({ code: "routePending", member, facts: { reason } });
    }
  }
}

const withoutNumbers = (text: string) => text.replaceAll(/\d+/g, "");
