import { destination, type Logger, pino, stdTimeFunctions } from "pino";

/** Least severe level that is logged. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * Opens the log: one line of JSON per action on stdout, with `level`, `time`, `stack`, `action` and its details. Each line
 * is written at once, so that none is lost however the process ends.
 */
export function openLog(stack: string, level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { stack },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ fd: 1, sync: true }),
  );
}
