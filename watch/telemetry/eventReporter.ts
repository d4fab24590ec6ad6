import type { Logger } from "pino";
import { liveOf, objectNameOf } from "../../cluster/read/snapshot.ts";
import { namespaceName, routeUrl } from "../../naming/names.ts";
import type { Outlook } from "../../plan/decisions/readiness.ts";
import type { MemberPlan } from "../../plan/memberPlan.ts";
import type { Planned } from "../../plan/plan.ts";
import type { LiveSnapshot } from "../live/liveCluster.ts";
import type { Case, Changes } from "../schedule/cases.ts";
import type { Metrics } from "./metrics.ts";
import type { Notice } from "./notices.ts";

/** What a look at the cluster has shown. */
export interface WatchLook {
  readonly plan: Planned<LiveSnapshot>;
  readonly changes: Changes;
  /** All that differs from what is declared. */
  readonly present: readonly Case[];
  /** Milliseconds of the clock that the cases go by. */
  readonly now: number;
}

/** A member, and how they are. */
type Known = Pick<MemberPlan, "member" | "readiness">;

/** Between two reasons that a member is told, in milliseconds. */
const betweenReasons = 10_000;

/** Tells admins and members what has become of routes and objects: in the log, in the metrics, and by Events. */
export class EventReporter {
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #notify: (notice: Notice) => void;
  /** Why each member's path can't be opened, as it was told or first found; empty for one whose can. */
  readonly #reasons = new Map<string, string>();
  /** When each member was told last why theirs can't be opened. */
  readonly #reportedAt = new Map<string, number>();
  /** Routes of which a part is there since an up was run to open them; the last part makes them open. */
  readonly #opening = new Map<string, Case>();

  constructor(log: Logger, metrics: Metrics, notify: (notice: Notice) => void) {
    this.#log = log;
    this.#metrics = metrics;
    this.#notify = notify;
  }

  /** Tells what is over, and counts how the members are now. */
  look({ plan: { members, snapshot }, changes, present, now }: WatchLook): void {
    const known = new Map<string, Known>(members.map((plan) => [plan.member.name, plan]));
    // What went by itself, or because it is declared no longer, is no work of an up's.
    for (const one of changes.gone.filter(({ tried }) => tried)) {
      this.#mended(one, known, snapshot, now);
    }
    for (const [name, one] of this.#opening) {
      this.#opened(name, one, known.get(name), snapshot, now);
    }
    const awaited = new Set(present.map(({ finding: { member, what } }) => `${member} ${what}`));
    for (const [name, { member, readiness }] of known) {
      // An Event needs the namespace, and one that a route is closed says the reason by itself.
      if (snapshot.namespaces.has(namespaceName(member)) && !awaited.has(`${name} route closes`)) {
        this.#pending(name, readiness, now);
      }
    }
    for (const name of [...this.#reasons.keys()].filter((each) => !known.has(each))) {
      this.#reasons.delete(name);
      this.#reportedAt.delete(name);
    }
    this.#metrics.countMembers(
      [...known].map(
        ([
          name,
          {
            readiness: { state },
          },
        ]) => (state === "ready" && awaited.has(`${name} route opens`) ? "pending" : state),
      ),
    );
  }

  #tell(notice: Notice): void {
    this.#metrics.notices.inc({ code: notice.code });
    this.#notify(notice);
  }

  #mended(one: Case, known: ReadonlyMap<string, Known>, snapshot: LiveSnapshot, now: number): void {
    const { finding, since, drift } = one;
    const { member: name, what, object = "" } = finding;
    if (name !== undefined && what === "route opens") {
      this.#opening.set(name, one);
      return;
    }
    const seconds = Math.round(now - since) / 1000;
    if (what === "route closes") {
      const readiness = known.get(name ?? "")?.readiness;
      if (name !== undefined && readiness !== undefined && readiness.state !== "ready") {
        const { reason } = readiness;
        this.#reasons.set(name, reason);
        this.#log.info(
          { action: "route closed", code: "routeClosed", member: name, reason, seconds },
          `closed the route of ${name}`,
        );
        this.#tell({ code: "routeClosed", member: name, facts: { reason } });
      }
    } else if (drift && liveOf(objectNameOf(object), snapshot) !== undefined) {
      const change = what === "missing" ? "deleted" : "changed";
      this.#metrics.driftRepaired.inc({ kind: objectNameOf(object).kind });
      this.#log.info(
        { action: "drift repaired", code: "driftRepaired", member: name, object, change, seconds },
        `put back ${object}, ${change} by hand`,
      );
      if (name !== undefined) {
        this.#tell({ code: "driftRepaired", member: name, object, facts: { change } });
      }
    }
  }

  #opened(name: string, { finding, since }: Case, known: Known | undefined, snapshot: LiveSnapshot, now: number): void {
    const { route } = known?.member ?? {};
    if (known?.readiness.state !== "ready" || route === undefined) {
      this.#opening.delete(name);
    } else if (snapshot.managedObjects.has(finding.object ?? "")) {
      this.#opening.delete(name);
      const url = routeUrl(route);
      const seconds = Math.round(now - since) / 1000;
      this.#metrics.routeOpen.observe(seconds);
      this.#log.info(
        { action: "route opened", code: "routeOpened", member: name, url, seconds },
        `opened the route of ${name}`,
      );
      this.#tell({ code: "routeOpened", member: name, facts: { url } });
    }
  }

  /**
   * A new reason is told; how things are when the watch starts, or the namespace is new, is no news. Whoever changes their
   * Service all the time is told at a later look what has come of it: they must not flood the log and the API server.
   */
  #pending(member: string, readiness: Outlook, now: number): void {
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
      this.#log.info(
        { action: "route pending", code: "routePending", member, reason },
        `the route of ${member} can't be opened`,
      );
      this.#tell({ code: "routePending", member, facts: { reason } });
    }
  }
}
