import type { ManagedKind } from "../../cluster/read/snapshot.ts";
import type { Declared } from "../compare/difference.ts";
import type { Drift } from "../compare/drift.ts";
import type { PlannedObject } from "./row.ts";

/** What a run says of an object, with the mark of what it applies, by which the next one sees what was changed by hand. */
export function saidOf({ kind, args, marked }: PlannedObject, drift: Drift): Declared {
  switch (marked) {
    case "whole":
      return drift.marked(kind as ManagedKind, args);
    case "metadata":
      return { ...args, ...drift.marked(kind as ManagedKind, { metadata: args.metadata }) };
    case "named":
      return drift.named(args);
    case "none":
      return args;
  }
}
