import { destination, type Logger, pino, stdTimeFunctions } from "pino";

/** How much is told. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * The log: one line of JSON per action, on stdout. Each has `level`, `time`, `stack`, `action` and what it is about.
 * Written at once, so that nothing is lost however the process ends.
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
