import { resolve } from "node:path";
import type { Logger } from "pino";
import { utcDay } from "../config/values/days.ts";
import { RunError } from "../config/values/runError.ts";
import { soleProcesses } from "../runs/lock.ts";
import { BoardServer } from "./board/boardServer.ts";
import { BoardPages } from "./board/pages.ts";
import { ConfigFiles } from "./configFiles.ts";
import { Configured } from "./configured.ts";
import { Lease, leaseApi } from "./lease.ts";
import { findings } from "./live/findings.ts";
import { watchCluster } from "./live/liveCluster.ts";
import { Observer } from "./live/observer.ts";
import { Notifier } from "./notify/notifier.ts";
import { writeAnnotations } from "./notify/writeAnnotations.ts";
import { Reconciler } from "./reconciler.ts";
import { Schedule } from "./schedule/schedule.ts";
import { openStack, type StackRunner } from "./stackRunner.ts";
import { EventReporter } from "./telemetry/eventReporter.ts";
import { type LogLevel, openLog } from "./telemetry/log.ts";
import { Metrics } from "./telemetry/metrics.ts";
import { type Notice, Notices } from "./telemetry/notices.ts";
import { type Health, serve } from "./telemetry/server.ts";
import { followVerifications } from "./verifications.ts";

interface WatchOptions {
  readonly stack: string;
  readonly folder: string;
  /** Milliseconds between two full ups. */
  readonly interval: number;
  readonly address: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  /** Lease that the watch holds while it runs, such as `kubecamp-system/kubecamp-watch`. Default: none. */
  readonly lease?: string;
}

/** Keeps a stack as it is declared until SIGTERM or SIGINT. */
export async function watch({ stack, lease: leaseName, logLevel, ...options }: WatchOptions): Promise<void> {
  const folder = resolve(options.folder);
  const log = openLog(stack, logLevel);
  const metrics = new Metrics();
  const stop = new AbortController();
  const lease = leaseOf(leaseName, (by, message) =>
    log.warn({ action: "waits for lease", by, url: server.url }, message),
  );
  let keeper: Keeper | undefined;
  // First, so that a taken port is reported at once and probes are answered during the start.
  const server = await serve(
    healthOf(stop.signal, lease, () => keeper?.reconciler),
    metrics.registry,
    options,
  );
  const deaf = stopAtSignals(stop, log);
  try {
    if (lease !== undefined) {
      lease.lost.addEventListener("abort", () => stop.abort());
      metrics.leaseHeld.set(0);
      if (!(await lease.take(stop.signal))) {
        return;
      }
      metrics.leaseHeld.set(1);
    }
    const opened = openStack({ folder, stack, stop: stop.signal }, lease && soleProcesses);
    const runner = await opened.catch((error: unknown) => {
      if (!stop.signal.aborted) {
        throw error;
      }
    });
    if (runner) {
      keeper = keeperOf({ ...options, runner, log, metrics, lease, stop: stop.signal });
      const interval = options.interval / 1000;
      metrics.interval.set(interval);
      metrics.lastSuccess.set(0);
      log.info(
        { action: "started", url: server.url, folder, interval },
        `keeps stack '${stack}' as declared; probes and metrics are at ${server.url}`,
      );
      await keeper.reconciler.run(stop.signal);
      await keeper.notifier.flush();
      await keeper.notices.flush();
    }
    lease?.lost.throwIfAborted();
    if (runner) {
      log.info({ action: "stopped" }, "ended");
    }
  } finally {
    keeper?.files.close();
    await lease?.release();
    await keeper?.board.close();
    await server.close();
    deaf();
  }
}

/** @throws RunError if POD_NAME is not set */
function leaseOf(name: string | undefined, notify: (by: string, message: string) => void): Lease | undefined {
  if (name === undefined) {
    return undefined;
  }
  const [namespace = "", leaseName = ""] = name.split("/");
  const { POD_NAME: pod } = process.env;
  if (!pod) {
    throw new RunError(
      "--lease takes the name of the pod in POD_NAME (fieldRef: metadata.name); docs/run/watch-in-cluster.md",
    );
  }
  return new Lease({ namespace, name: leaseName, pod }, { api: leaseApi(namespace, leaseName), notify });
}

const healthOf = (stop: AbortSignal, lease: Lease | undefined, reconciler: () => Reconciler | undefined): Health => ({
  alive: () => reconciler()?.alive(),
  ready: () => {
    if (stop.aborted) {
      return "it is being stopped";
    }
    const running = reconciler();
    return running === undefined ? (lease?.trouble ?? "it is starting") : running.ready();
  },
});

/** Stops at the first SIGTERM or SIGINT; a second one changes nothing. @returns a function that ends this */
function stopAtSignals(stop: AbortController, log: Logger): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stop.signal.aborted) {
      log.info({ action: "stopping", signal }, "no further up starts; waiting for the running one");
      stop.abort();
    }
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  return () => process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
}

interface KeeperOptions extends Pick<WatchOptions, "interval" | "address"> {
  readonly runner: StackRunner;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lease: Lease | undefined;
  readonly stop: AbortSignal;
}

type Keeper = ReturnType<typeof keeperOf>;

function keeperOf({ runner, log, metrics, lease, interval, address, stop }: KeeperOptions) {
  const now = () => performance.now();
  const { sources } = runner;
  const configured = new Configured({ sources, log, metrics, now, today: utcDay });
  const notices = new Notices(
    () => configured.inForce?.settings.cluster.context,
    (reason) => log.warn({ action: "events refused", reason }, "could not write Events for members"),
    (code) => metrics.notices.inc({ code }),
  );
  const notify = (notice: Notice) => notices.notify(notice);
  const lost = lease === undefined ? {} : { lost: lease.lost };
  const notifier = new Notifier({ log, metrics, notify, write: writeAnnotations, now, ...lost });
  const onChange = () => reconciler.lookSoon();
  const observer = new Observer({ watchCluster, log, metrics, onChange, onSight: () => reconciler.wake() });
  const files = new ConfigFiles(() => {
    configured.expire();
    reconciler.wake();
  });
  files.watch(sources.files());
  const pages = new BoardPages();
  const board = new BoardServer({ pages, log, address, configuration: () => configured.inForce });
  const reconciler: Reconciler = new Reconciler({
    ...{ runner, configured, observer, notifier, metrics, log, now, findings, time: () => new Date() },
    schedule: new Schedule({ interval, random: Math.random }),
    eventReporter: new EventReporter(log, metrics, notify),
    board: pages,
    onConfiguration: () => {
      files.watch(sources.files());
      void board.follow();
      // At the start, and again after each full up.
      if (configured.inForce !== undefined) {
        void followVerifications(configured.inForce.settings, { log, metrics, signal: stop });
      }
    },
  });
  return { reconciler, notifier, notices, files, board };
}
