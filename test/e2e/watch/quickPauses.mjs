// Loaded into a test's watch by NODE_OPTIONS, before all else: its pauses before it asks an API server again take a tenth.
// No others let the process end meanwhile.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const { setTimeout: real } = timers;
timers.setTimeout = (milliseconds, value, options) =>
  real(options?.ref === false ? milliseconds / 10 : milliseconds, value, options);
syncBuiltinESMExports();
// Not for the processes that the watch starts.
delete process.env.NODE_OPTIONS;
