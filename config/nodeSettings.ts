import { setFlagsFromString } from "node:v8";

// The SDK makes an Error for each of its promises, and tells of each resource where it was made: with a few thousand of
// them, taking down stacks is a third of the program's time, and a tenth of Pulumi's state. Errors of ours are told without
// a trace anyway. `NODE_OPTIONS=--stack-trace-limit=10` brings them back, for whoever looks for a bug.
if (!`${process.env.NODE_OPTIONS} ${process.execArgv.join(" ")}`.includes("--stack-trace-limit")) {
  Error.stackTraceLimit = 0;
}

// V8 lets the heap grow to a multiple of what is in use before it looks again, the more of it the more memory a machine has:
// a thousand members would need half as much again. This takes it a tenth more time. An engine that does not know the flag
// leaves it at that.
setFlagsFromString("--heap-growing-percent=50");
