import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Outlook } from "../../plan/decisions/readiness.ts";
import { type Coming, comingCodes } from "../../plan/findings/coming.ts";
import { results, type VerifyRecord } from "../../verify/record.ts";
import { channelNames } from "../notify/channels.ts";

/** The watch's metrics: docs/reference/metrics.md. @see https://prometheus.io/docs/practices/naming/ */
export class Metrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];

  readonly members = this.#gauge(
    "kubecamp_members",
    "Members by state of their route: ready, pending, asleep or suspended.",
    ["state"],
  );
  readonly endingNamespaces = this.#gauge(
    "kubecamp_namespaces_terminating",
    "1 for each member's namespace that is being deleted, of those who left the list too.",
    ["member"],
  );
  readonly ups = this.#counter(
    "kubecamp_ups_total",
    "Ups by kind (full, targeted) and result (succeeded, failed, locked, cancelled).",
    ["kind", "result"],
  );
  readonly upDuration = this.#histogram(
    "kubecamp_up_duration_seconds",
    "How long ups took that succeeded or failed, by kind.",
    [1, 2, 3, 4, 5, 7.5, 10, 15, 30, 60, 120, 300, 600, 1800],
    ["kind"],
  );
  readonly driftRepaired = this.#counter(
    "kubecamp_drift_repaired_total",
    "Objects that were changed or deleted by hand and restored, by kind.",
    ["kind"],
  );
  readonly notices = this.#counter(
    "kubecamp_notices_total",
    "Events written for members, by code: routeOpened, routeClosed, routePending, driftRepaired, fellAsleep, wokeUp, wakeRefused, or what comes.",
    ["code"],
  );
  readonly messages = this.#counter(
    "kubecamp_messages_total",
    "Messages to admins about what comes, by channel (webhook, mail) and result (sent, failed).",
    ["channel", "result"],
  );
  #coming: readonly Coming[] = [];
  readonly #expiry = new Gauge({
    name: "kubecamp_member_expires_seconds",
    help: "Seconds until a member's last day ends.",
    labelNames: ["member"],
    registers: this.#registers,
    collect: () => this.#countDown(),
  });
  readonly #quotaUse = this.#gauge(
    "kubecamp_member_quota_used_ratio",
    "Part of a member's quota that is used, by resource; 1 for all of it.",
    ["member", "resource"],
  );
  readonly routeOpen = this.#histogram(
    "kubecamp_route_open_seconds",
    "Time from a fit Service to its route.",
    [1, 2, 3, 4, 5, 7.5, 10, 15, 30, 60, 120, 300],
  );
  readonly lastSuccess = this.#gauge(
    "kubecamp_last_successful_up_timestamp_seconds",
    "When the last full up with refresh succeeded, in seconds since 1970; 0 if none has since the watch began.",
  );
  readonly interval = this.#gauge("kubecamp_interval_seconds", "Time between two full ups with refresh (--interval).");
  readonly leaseHeld = this.#gauge(
    "kubecamp_lease_held",
    "1 if this watch has its Lease (--lease), 0 while it waits for it.",
  );
  readonly configValid = this.#gauge(
    "kubecamp_config_valid",
    "1 if the stack's configuration is without mistakes, 0 if not: the last one without stays in force.",
  );
  readonly clusterConnected = this.#gauge(
    "kubecamp_cluster_connected",
    "1 if every kind of object is being watched, 0 in an outage: then no up is run.",
  );
  readonly leftOut = this.#gauge(
    "kubecamp_lists_left_out",
    "Lists of objects that the watch may not read: it leaves out what needs them.",
  );
  readonly #promises = this.#gauge(
    "kubecamp_verify_promises",
    "Promises in the last recorded result of kubecamp verify, by result: held, broken or unproven.",
    ["result"],
  );
  readonly #lastVerification = this.#gauge(
    "kubecamp_verify_last_run_timestamp_seconds",
    "When that verification began, in seconds since 1970.",
  );
  readonly connectionsCut = this.#counter(
    "kubecamp_connections_cut_total",
    "Connections to the API server that were cut; changes since then come over the next one.",
  );

  #gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: this.#registers });
  }

  #counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  #histogram(name: string, help: string, buckets: number[], labelNames: readonly string[] = []): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: this.#registers });
  }

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // They would begin at 0, which alerts take for an answer.
    const { lastSuccess, interval, leaseHeld, leftOut, configValid, clusterConnected } = this;
    for (const unknown of [lastSuccess, interval, leaseHeld, leftOut, configValid, clusterConnected]) {
      unknown.remove();
    }
    this.#lastVerification.remove();
    // Prometheus can compute a rate only if the series began at zero.
    for (const kind of ["full", "targeted"]) {
      for (const result of ["succeeded", "failed", "locked", "cancelled"]) {
        this.ups.inc({ kind, result }, 0);
      }
    }
    const ofRuns = [
      "routeOpened",
      "routeClosed",
      "routePending",
      "driftRepaired",
      "fellAsleep",
      "wokeUp",
      "wakeRefused",
    ];
    for (const code of [...ofRuns, ...comingCodes]) {
      this.notices.inc({ code }, 0);
    }
    for (const channel of channelNames) {
      this.messages.inc({ channel, result: "sent" }, 0);
      this.messages.inc({ channel, result: "failed" }, 0);
    }
  }

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

  /** @param record undefined if no result was recorded */
  verified(record: VerifyRecord | undefined): void {
    this.#promises.reset();
    this.#lastVerification.remove();
    if (record !== undefined) {
      this.#lastVerification.set(record.at.getTime() / 1000);
      for (const result of results) {
        this.#promises.set({ result }, record.counts[result]);
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
