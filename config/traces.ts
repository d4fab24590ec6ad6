// The SDK makes an Error for each of its promises, and tells of each resource where it was made: with a few thousand of
// them, taking down stacks is a third of the program's time, and a tenth of Pulumi's state. Errors of ours are told without
// a trace anyway. `NODE_OPTIONS=--stack-trace-limit=10` brings them back, for whoever looks for a bug.
if (!`${process.env.NODE_OPTIONS} ${process.execArgv.join(" ")}`.includes("--stack-trace-limit")) {
  Error.stackTraceLimit = 0;
}
