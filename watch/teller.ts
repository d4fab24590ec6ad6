import type { Logger } from "pino";
import { type Readiness, readinessOf } from "../cluster/readiness.ts";
import { guardName } from "../cluster/snapshot.ts";
import type { Configuration } from "../config/settings.ts";
import { namespaceName, routeUrl } from "../naming/names.ts";
import type { Case, Changes } from "./cases.ts";
import type { LiveSnapshot } from "./liveCluster.ts";
import type { Metrics } from "./metrics.ts";
import type { Notice } from "./notices.ts";

/** Tells admins and members what has become of routes and objects: in the log, in the metrics, and by Events. */
export class Teller {
  readonly #log: Logger;
  readonly #metrics: Metrics;
  readonly #notify: (notice: Notice) => void;
  /** Why each member's path can't be opened, as it was told or first found; empty for one whose can. */
  readonly #reasons = new Map<string, string>();

  constructor(log: Logger, metrics: Metrics, notify: (notice: Notice) => void) {
    this.#log = log;
    this.#metrics = metrics;
    this.#notify = notify;
  }

  /** Tells what a look at the cluster has shown to be over, and how the members are now. */
  look(
    { members, settings }: Configuration,
    snapshot: LiveSnapshot,
    changes: Changes,
    present: readonly Case[],
    now: number,
  ): void {
    const readiness = new Map(members.map((member) => [member.name, readinessOf(member, settings, snapshot)]));
    const urls = new Map(members.map(({ name, route }) => [name, route === undefined ? "" : routeUrl(route)]));
    for (const one of changes.gone.filter(({ tried }) => tried)) {
      this.#mended(one, readiness, urls, now);
    }
    const routes = new Map(present.map(({ finding }) => [`${finding.member} ${finding.what}`, finding]));
    for (const member of members) {
      // An Event needs the namespace.
      if (snapshot.namespaces.has(namespaceName(member)) && !routes.has(`${member.name} route closes`)) {
        this.#pending(member.name, readiness.get(member.name));
      }
    }
    this.#metrics.countMembers(
      members.map(({ name }) => {
        const state = readiness.get(name)?.state ?? "pending";
        return state === "ready" && routes.has(`${name} route opens`) ? "pending" : state;
      }),
    );
  }

  /** An up was run for its sake, and it is not there any more. */
  #mended(
    { finding: { member, what, object }, since, drift }: Case,
    readiness: ReadonlyMap<string, Readiness>,
    urls: ReadonlyMap<string, string>,
    now: number,
  ): void {
    const seconds = (now - since) / 1000;
    const how = member === undefined ? undefined : readiness.get(member);
    if (what === "route opens" && member !== undefined && how?.state === "ready") {
      const url = urls.get(member) ?? "";
      this.#metrics.routeOpen.observe(seconds);
      this.#log.info({ action: "route opened", member, url, seconds }, `the route of ${member} is open`);
      this.#notify({ member, reason: "RouteOpened", message: `${url} leads to your Service.` });
    } else if (what === "route closes" && member !== undefined && how?.state !== "ready") {
      const reason = how?.reason ?? "no longer in the list";
      this.#reasons.set(member, reason);
      this.#log.info(
        { action: "route closed", member, reason, seconds },
        `the route of ${member} is closed: ${reason}`,
      );
      this.#notify({ member, reason: "RouteClosed", message: `Your path is closed: ${reason}.` });
    } else if ((what === "missing" || what === "changed") && drift && object !== undefined) {
      const by = what === "missing" ? "deleted" : "changed";
      this.#metrics.driftRepaired.inc({ kind: guardName(object).kind });
      this.#log.info({ action: "drift repaired", member, object, by, seconds }, `put back what was ${by}: ${object}`);
      if (member !== undefined) {
        this.#notify({
          member,
          reason: "DriftRepaired",
          message: `${object} was ${by} by hand and has been put back.`,
          object,
        });
      }
    }
  }

  /** A new reason is told; how things are when the watch starts or the namespace is new is no news. */
  #pending(member: string, readiness: Readiness | undefined): void {
    const reason = readiness?.state === "pending" ? readiness.reason : "";
    const told = this.#reasons.get(member);
    if (told === reason) {
      return;
    }
    this.#reasons.set(member, reason);
    if (reason !== "" && told !== undefined) {
      this.#log.info({ action: "route pending", member, reason }, `the route of ${member} is pending: ${reason}`);
      this.#notify({ member, reason: "RoutePending", message: `Your path is not open: ${reason}.` });
    }
  }
}
