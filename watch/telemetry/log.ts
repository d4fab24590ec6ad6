import { destination, type Logger, pino, stdTimeFunctions } from "pino";

/** Least severe level that is logged. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Bytes of lines that wait while they can't be written, as on a full disk; further ones are dropped. */
const mostWaiting = 1024 ** 2;

/**
 * Opens the log: one line of JSON per action on stdout, with `level`, `time`, `stack`, `action` and its details. Each line
 * is written at once, so that none is lost however the process ends.
 */
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
