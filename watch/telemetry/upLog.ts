import type { Logger } from "pino";
import type { UpResult } from "../../runs/stackRunner.ts";
import type { Job } from "../schedule/jobs.ts";

/** Logs that an up begins. */
export function tellStart(log: Logger, { kind, aim, refresh, why }: Job): void {
  log.info({ action: "up started", kind, members: aim, refresh, why }, `${kind} up: ${why}`);
}

/** Logs how an up ended. @returns the same in a few words */
export function tellEnd(log: Logger, { kind, aim, refresh }: Job, result: UpResult, seconds: number): string {
  const about = { kind, members: aim, refresh, seconds };
  if (result.recovered !== undefined) {
    log.warn({ action: "lock freed" }, result.recovered);
  }
  if (result.outcome === "locked") {
    log.warn({ action: "locked", ...about, by: result.by }, "another run is under way; this one waits for it");
    return `locked by ${result.by}`;
  }
  const told = { action: "up ended", ...about, result: result.outcome, changes: result.changes.length };
  if (result.outcome === "failed") {
    log.error({ ...told, reason: result.reason }, `${kind} up failed`);
    return result.reason;
  }
  log.info(told, `${kind} up ${result.outcome}`);
  return result.outcome;
}
