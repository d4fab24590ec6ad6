import type { MemberType } from "../../model/members/memberTypes.ts";
import type { ContentProblem } from "./podParts.ts";

/** Fields of a pod's spec that contradict the settings of its member's type. */
export function confinementProblems(
  spec: Readonly<Record<string, unknown>>,
  at: string,
  type: MemberType,
): ContentProblem[] {
  const { priorityClassName, runtimeClassName } = spec;
  const { priorityClasses, runtimeClasses } = type;
  return [
    ...(priorityClassName === undefined || priorityClasses.includes(String(priorityClassName))
      ? []
      : [{ field: `${at}.priorityClassName`, message: `is not allowed for type '${type.name}' (priorityClasses)` }]),
    ...(runtimeClassName === undefined || (runtimeClasses?.allowed.includes(String(runtimeClassName)) ?? true)
      ? []
      : [{ field: `${at}.runtimeClassName`, message: `is not allowed for type '${type.name}' (runtimeClasses)` }]),
    ...(spec.nodeName === undefined
      ? []
      : [{ field: `${at}.nodeName`, message: "bypasses the scheduler; use nodeSelector" }]),
  ];
}
