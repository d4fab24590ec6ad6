import type { Member } from "../../config/model/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Drift } from "../compare/drift.ts";
import type { Declared } from "../objects/declared.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** What a run says of an object, with the mark of what it applies, by which the next one sees what was changed by hand. */
export function saidOf(object: PlannedObject, drift: Drift): Declared {
  switch (object.marked) {
    case "whole":
    case "metadata":
      return drift.marked(object as ReadObject);
    case "named":
      return drift.named(object as ReadObject);
    case "none":
      return object.args;
  }
}

/** Of what is left, no more is said: should Pulumi's state not have it, nothing of it would be written all the same. */
export const nameOnly = (name: string, member: Pick<Member, "name">) => (): Declared =>
  ({ metadata: { name, namespace: namespaceName(member) } }) as Declared;
