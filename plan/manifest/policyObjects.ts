import { compare } from "../../cluster/kinds/compare.ts";
import type { Planned } from "../plan.ts";
import { isRead } from "./manifest.ts";
import type { ReadObject } from "./row.ts";

/** The policies that judge what is asked for in members' namespaces, and what puts each in force. */
export const policyObjectsOf = ({ shared }: Pick<Planned, "shared">): ReadObject[] =>
  shared
    .filter(isRead)
    .filter(({ part }) => part.startsWith("access/admission/"))
    .sort((a, b) => compare(a.name, b.name));
