import type { Member } from "../../config/member/member.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Declared } from "../../objects/declared.ts";
import type { Drift } from "../compare/drift.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** An object as a run declares it, with the applied annotation that shows the next run changes by hand. */
export const declaredOf = (object: PlannedObject, drift: Drift): Declared =>
  object.marked === "none" ? object.args : drift.marked(object as ReadObject);

/** Declares only the name of an object left unchanged: nothing is written even if Pulumi's state lacks the object. */
export const nameOnly = (name: string, member: Pick<Member, "name">) => (): Declared =>
  ({ metadata: { name, namespace: namespaceName(member) } }) as Declared;
