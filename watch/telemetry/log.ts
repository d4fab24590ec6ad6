import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import { warningsOf } from "../../plan/words/catalogue.ts";
import type { Job } from "../schedule/jobs.ts";
import type { UpResult } from "../stackRunner.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Bytes of lines that wait while they can't be written, as on a full disk; further ones are dropped. */
const mostWaiting = 1024 ** 2;

/** Opens the log: a line of JSON per action on stdout, written at once, so that none is lost however the watch ends. */
export function openLog(stack: string, level: LogLevel, fd = 1): Logger {
  const stdout = destination({ fd, sync: true, maxLength: mostWaiting });
  // Unheard, it would end the watch in the middle of an up. The lines wait for the next write.
  stdout.on("error", () => undefined);
  return pino(
    {
      level,
      base: { stack },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stdout,
  );
}

/** Logs the end of an up. @returns the same in a few words */
export function reportEnd(log: Logger, { kind, target }: Job, result: UpResult, seconds: number): string {
  const about = { kind, members: target, seconds };
  if (result.recovered !== undefined) {
    log.warn({ action: "lock freed" }, result.recovered);
  }
  if (result.notRefreshed !== undefined) {
    log.warn(
      { action: "not refreshed", reason: result.notRefreshed },
      "Pulumi can't read an object; this up went on without",
    );
  }
  for (const { code, text } of warningsOf(result.cleared ?? [])) {
    log.warn({ action: "cleared", code }, text);
  }
  if (result.due !== undefined) {
    for (const member of result.due.archived) {
      log.info({ action: "archived", member }, `archived ${member}, who has left the list`);
    }
    for (const { member, why } of result.due.failed) {
      log.error({ action: "not archived", member, reason: why }, `${member} is not archived, and is kept`);
    }
    if (result.due.left.length > 0) {
      log.info({ action: "not archived yet", members: result.due.left }, "the next full up continues the archives");
    }
  }
  if (result.outcome === "locked") {
    log.warn({ action: "locked", ...about, by: result.by }, "another run has the lock; this one waits for it");
    return `locked by ${result.by}`;
  }
  const once = result.isWrittenOnce === true ? { checkpoints: "none" } : {};
  const reported = { action: "up ended", ...about, result: result.outcome, changes: result.changes.length, ...once };
  if (result.outcome === "failed") {
    log.error({ ...reported, reason: result.reason }, `${kind} up failed`);
    return result.reason;
  }
  log.info(reported, `${kind} up ${result.outcome}`);
  return result.outcome;
}
