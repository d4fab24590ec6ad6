import type { Member } from "../../config/model/members/member.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Drift } from "../compare/drift.ts";
import type { Declared } from "../objects/declared.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** An object as a run declares it, with the applied annotation that shows the next run changes by hand. */
export function declaredOf(object: PlannedObject, drift: Drift): Declared {
  switch (object.marked) {
    case "whole":
    case "metadata":
      return drift.marked(object as ReadObject);
    case "none":
      return object.args;
  }
}

/** Declares only the name of an object left unchanged: nothing is written even if Pulumi's state lacks the object. */
export const nameOnly = (name: string, member: Pick<Member, "name">) => (): Declared =>
  ({ metadata: { name, namespace: namespaceName(member) } }) as Declared;
