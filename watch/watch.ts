import { resolve } from "node:path";
import { utcDay } from "../config/values/days.ts";
import { RunError } from "../config/values/runError.ts";
import { soleProcesses } from "../runs/lock.ts";
import { BoardServer } from "./board/boardServer.ts";
import { BoardPages } from "./board/pages.ts";
import { ConfigFiles } from "./configFiles.ts";
import { Configured } from "./configured.ts";
import { Lease } from "./lease.ts";
import { leaseApi } from "./leaseApi.ts";
import { findings } from "./live/findings.ts";
import { watchCluster } from "./live/liveCluster.ts";
import { Observer } from "./live/observer.ts";
import { Notifier } from "./notify/notifier.ts";
import { writeAnnotations } from "./notify/writeAnnotations.ts";
import { Reconciler } from "./reconciler.ts";
import { Schedule } from "./schedule/schedule.ts";
import { openStack } from "./stackRunner.ts";
import { EventReporter } from "./telemetry/eventReporter.ts";
import { type LogLevel, openLog } from "./telemetry/log.ts";
import { Metrics } from "./telemetry/metrics.ts";
import { type Notice, Notices } from "./telemetry/notices.ts";
import { serve } from "./telemetry/server.ts";

/** Options of the command line. */
interface WatchOptions {
  readonly stack: string;
  /** Folder of the project, with `Pulumi.yaml`. */
  readonly folder: string;
  /** Milliseconds between two full ups. */
  readonly interval: number;
  readonly address: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  /** Lease that the watch holds while it runs, such as `kubecamp-system/kubecamp-watch`. Default: none. */
  readonly lease?: string;
}

/**
 * Keeps a stack as it is declared until SIGTERM or SIGINT.
 * @throws RunError saying why it can't start, or that the Lease was lost
 */
export async function watch({
  stack,
  folder,
  interval,
  logLevel,
  lease: leaseName,
  ...address
}: WatchOptions): Promise<void> {
  const log = openLog(stack, logLevel);
  const metrics = new Metrics();
  const now = () => performance.now();
  const stop = new AbortController();
  let reconciler: Reconciler | undefined;
  const lease = leaseOf(leaseName, (by, message) =>
    log.warn({ action: "waits for lease", by, url: server.url }, message),
  );
  const health = {
    alive: () => reconciler?.alive(),
    ready: () =>
      stop.signal.aborted
        ? "it is being stopped"
        : reconciler === undefined
          ? (lease?.trouble ?? "it is starting")
          : reconciler.ready(),
  };
  // First, so that a taken port is reported at once and probes are answered during the start.
  const server = await serve(health, metrics.registry, address);
  const onSignal = (signal: NodeJS.Signals) => {
    // A second signal changes nothing.
    if (!stop.signal.aborted) {
      log.info({ action: "stopping", signal }, "no further up starts; waiting for the running one");
      stop.abort();
    }
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  let files: ConfigFiles | undefined;
  let board: BoardServer | undefined;
  try {
    if (lease !== undefined) {
      lease.lost.addEventListener("abort", () => stop.abort());
      metrics.leaseHeld.set(0);
      if (!(await lease.take(stop.signal))) {
        return;
      }
      metrics.leaseHeld.set(1);
    }
    const runner = await openStack({ folder: resolve(folder), stack, stop: stop.signal }, lease && soleProcesses).catch(
      (error: unknown) => {
        if (!stop.signal.aborted) {
          throw error;
        }
      },
    );
    if (runner === undefined) {
      lease?.lost.throwIfAborted();
      return;
    }
    const configured = new Configured({ runner, log, metrics, now, today: utcDay });
    const notices = new Notices(
      () => configured.inForce?.settings.cluster.context,
      (reason) => log.warn({ action: "events refused", reason }, "could not write Events for members"),
      (code) => metrics.notices.inc({ code }),
    );
    const notify = (notice: Notice) => notices.notify(notice);
    const notifier = new Notifier({
      ...{ log, metrics, notify, write: writeAnnotations, now },
      ...(lease === undefined ? {} : { lost: lease.lost }),
    });
    const observer = new Observer({
      watchCluster,
      log,
      metrics,
      onChange: () => reconciler?.lookSoon(),
      onSight: () => reconciler?.wake(),
    });
    const onEdit = () => {
      configured.expire();
      reconciler?.wake();
    };
    const watched = new ConfigFiles(onEdit);
    files = watched;
    watched.watch(runner.files());
    const pages = new BoardPages();
    const served = new BoardServer({ pages, log, address: address.address, configuration: () => configured.inForce });
    board = served;
    reconciler = new Reconciler({
      ...{ runner, configured, observer, metrics, log, now, time: () => new Date() },
      findings,
      schedule: new Schedule({ interval, random: Math.random }),
      eventReporter: new EventReporter(log, metrics, notify),
      notifier,
      board: pages,
      onConfiguration: () => {
        watched.watch(runner.files());
        void served.follow();
      },
    });
    metrics.interval.set(interval / 1000);
    metrics.lastSuccess.set(0);
    log.info(
      { action: "started", url: server.url, folder: resolve(folder), interval: interval / 1000 },
      `keeps stack '${stack}' as declared; probes and metrics are at ${server.url}`,
    );
    await reconciler.run(stop.signal);
    await notifier.flush();
    await notices.flush();
    lease?.lost.throwIfAborted();
    log.info({ action: "stopped" }, "ended");
  } finally {
    files?.close();
    await lease?.release();
    await board?.close();
    await server.close();
    process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
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
