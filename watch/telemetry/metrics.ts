import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Outlook } from "../../plan/decisions/readiness.ts";
import { type Coming, comingCodes } from "../../plan/findings/coming.ts";
import { channelNames } from "../notify/channels.ts";

/**
 * The watch's Prometheus metrics. docs/reference/metrics.md has a table of them.
 * @see https://prometheus.io/docs/practices/naming/
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #shared = { registers: [this.registry] };

  readonly members = new Gauge({
    name: "kubecamp_members",
    help: "Members by state of their route: ready, pending, asleep or suspended.",
    labelNames: ["state"],
    ...this.#shared,
  });
  readonly endingNamespaces = new Gauge({
    name: "kubecamp_namespaces_terminating",
    help: "1 for each member's namespace that is being deleted, of those who left the list too.",
    labelNames: ["member"],
    ...this.#shared,
  });
  readonly ups = new Counter({
    name: "kubecamp_ups_total",
    help: "Ups by kind (full, targeted) and result (succeeded, failed, locked, cancelled).",
    labelNames: ["kind", "result"],
    ...this.#shared,
  });
  readonly upDuration = new Histogram({
    name: "kubecamp_up_duration_seconds",
    help: "How long ups took that succeeded or failed, by kind.",
    labelNames: ["kind"],
    buckets: [1, 2, 3, 4, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 1800],
    ...this.#shared,
  });
  readonly driftRepaired = new Counter({
    name: "kubecamp_drift_repaired_total",
    help: "Objects that were changed or deleted by hand and restored, by kind.",
    labelNames: ["kind"],
    ...this.#shared,
  });
  readonly notices = new Counter({
    name: "kubecamp_notices_total",
    help: "Events written for members, by code: routeOpened, routeClosed, routePending, driftRepaired, fellAsleep, wokeUp, or what comes.",
    labelNames: ["code"],
    ...this.#shared,
  });
  readonly messages = new Counter({
    name: "kubecamp_messages_total",
    help: "Messages to admins about what comes, by channel (webhook, mail) and result (sent, failed).",
    labelNames: ["channel", "result"],
    ...this.#shared,
  });
  #coming: readonly Coming[] = [];
  readonly #expiry = new Gauge({
    name: "kubecamp_member_expires_seconds",
    help: "Seconds until a member's last day ends.",
    labelNames: ["member"],
    ...this.#shared,
    collect: () => this.#countDown(),
  });
  readonly #quotaUse = new Gauge({
    name: "kubecamp_member_quota_used_ratio",
    help: "Part of a member's quota that is used, by resource; 1 for all of it.",
    labelNames: ["member", "resource"],
    ...this.#shared,
  });
  readonly routeOpen = new Histogram({
    name: "kubecamp_route_open_seconds",
    help: "Time from a fit Service to its route.",
    buckets: [1, 2, 3, 4, 5, 7.5, 10, 15, 30, 60, 120, 300],
    ...this.#shared,
  });
  readonly lastSuccess = new Gauge({
    name: "kubecamp_last_successful_up_timestamp_seconds",
    help: "When the last full up with refresh succeeded, in seconds since 1970; 0 if none has since the watch began.",
    ...this.#shared,
  });
  readonly interval = new Gauge({
    name: "kubecamp_interval_seconds",
    help: "Time between two full ups with refresh (--interval).",
    ...this.#shared,
  });
  readonly leaseHeld = new Gauge({
    name: "kubecamp_lease_held",
    help: "1 if this watch has its Lease (--lease), 0 while it waits for it.",
    ...this.#shared,
  });
  readonly configValid = new Gauge({
    name: "kubecamp_config_valid",
    help: "1 if the stack's configuration is without mistakes, 0 if not: the last one without stays in force.",
    ...this.#shared,
  });
  readonly clusterConnected = new Gauge({
    name: "kubecamp_cluster_connected",
    help: "1 if every kind of object is being watched, 0 in an outage: then no up is run.",
    ...this.#shared,
  });
  readonly leftOut = new Gauge({
    name: "kubecamp_lists_left_out",
    help: "Lists of objects that the watch may not read: it leaves out what needs them.",
    ...this.#shared,
  });

  readonly connectionsCut = new Counter({
    name: "kubecamp_connections_cut_total",
    help: "Connections to the API server that were cut; changes since then come over the next one.",
    ...this.#shared,
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // They would begin at 0, which alerts take for an answer.
    for (const unknown of [
      this.lastSuccess,
      this.interval,
      this.leaseHeld,
      this.leftOut,
      this.configValid,
      this.clusterConnected,
    ]) {
      unknown.remove();
    }
    // Prometheus can compute a rate only if the series began at zero.
    for (const kind of ["full", "targeted"]) {
      for (const result of ["succeeded", "failed", "locked", "cancelled"]) {
        this.ups.inc({ kind, result }, 0);
      }
    }
    const ofRuns = ["routeOpened", "routeClosed", "routePending", "driftRepaired", "fellAsleep", "wokeUp"];
    for (const code of [...ofRuns, ...comingCodes]) {
      this.notices.inc({ code }, 0);
    }
    for (const channel of channelNames) {
      this.messages.inc({ channel, result: "sent" }, 0);
      this.messages.inc({ channel, result: "failed" }, 0);
    }
  }

  /** Sets the gauges of what comes. */
  expect(coming: readonly Coming[]): void {
    this.#coming = coming;
    this.#quotaUse.reset();
    for (const { finding } of coming) {
      if (finding.code === "quotaNearlyFull") {
        const { member, facts } = finding;
        this.#quotaUse.set({ member, resource: facts.resource }, facts.ratio);
      }
    }
  }

  /** Time goes by without a look at the cluster. */
  #countDown(): void {
    this.#expiry.reset();
    for (const { finding, at } of this.#coming) {
      const seconds = ((at?.getTime() ?? 0) - Date.now()) / 1000;
      if (finding.code === "expires" && seconds > 0) {
        this.#expiry.set({ member: finding.member }, seconds);
      }
    }
  }

  /** Sets the members gauge. */
  countMembers(states: Iterable<Outlook["state"]>): void {
    const counts: Record<string, number> = { ready: 0, pending: 0, asleep: 0, suspended: 0 };
    for (const state of states) {
      counts[state] = (counts[state] ?? 0) + 1;
    }
    for (const [state, count] of Object.entries(counts)) {
      this.members.set({ state }, count);
    }
  }
}
