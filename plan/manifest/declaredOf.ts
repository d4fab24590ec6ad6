import type { Declared } from "../../objects/declared.ts";
import type { Drift } from "../compare/drift.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** An object as a run declares it, with the applied annotation that shows the next run changes by hand. */
export const declaredOf = (object: PlannedObject, drift: Drift): Declared =>
  object.marked === "none" ? object.args : drift.marked(object as ReadObject);
