import { compare } from "../../config/values/sentences.ts";
import type { Planned } from "../plan.ts";
import { isRead } from "./manifest.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** Whether it is an admission policy for members' namespaces, or its binding. */
export const isOfPolicy = ({ part }: Pick<PlannedObject, "part">): boolean => part.startsWith("access/admission/");

/** Admission policies for members' namespaces and their bindings, by name. */
export const policyObjectsOf = ({ shared }: Pick<Planned, "shared">): ReadObject[] =>
  shared
    .filter(isRead)
    .filter(isOfPolicy)
    .sort((a, b) => compare(a.name, b.name));
