import type { MemberType } from "../config/member/types.ts";
import { defined } from "../config/values/maps.ts";

/** Fields of a pod's spec that a type's pods must have: also where the API server fills in nothing. */
export function confinedSpec({ runtimeClasses, pool, userNamespaces }: MemberType) {
  const runtimeClassName = runtimeClasses?.default ?? runtimeClasses?.allowed[0];
  return defined({
    runtimeClassName,
    nodeSelector: pool?.nodeSelector,
    tolerations: pool && [...pool.tolerations],
    hostUsers: userNamespaces && false,
  });
}
