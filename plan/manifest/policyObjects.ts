import { compare } from "../../cluster/kinds/compare.ts";
import type { Planned } from "../plan.ts";
import { isRead } from "./manifest.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** Whether it is a policy that judges what is asked for in members' namespaces, or what puts one in force. */
export const isOfPolicy = ({ part }: Pick<PlannedObject, "part">): boolean => part.startsWith("access/admission/");

/** The policies that judge what is asked for in members' namespaces, and what puts each in force. */
export const policyObjectsOf = ({ shared }: Pick<Planned, "shared">): ReadObject[] =>
  shared
    .filter(isRead)
    .filter(isOfPolicy)
    .sort((a, b) => compare(a.name, b.name));
