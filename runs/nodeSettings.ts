import { setFlagsFromString } from "node:v8";

// The SDK creates an Error for each promise and records the call site of each resource. With a few thousand resources,
// stack traces take a third of the program's time and a tenth of Pulumi's state. kubecamp prints errors without a trace
// anyway. To debug, set `NODE_OPTIONS=--stack-trace-limit=10`.
if (!`${process.env.NODE_OPTIONS} ${process.execArgv.join(" ")}`.includes("--stack-trace-limit")) {
  Error.stackTraceLimit = 0;
}

// V8 lets the heap grow to a multiple of its live size between collections, more so on machines with much memory.
// Without this flag, a thousand members need half as much memory again; with it, the program takes a tenth more time.
// An engine that does not know the flag ignores it.
setFlagsFromString("--heap-growing-percent=50");
