import { isMap } from "../../model/maps.ts";
import { pathText } from "../../sources/mistakes.ts";

/** A field of an object that its member may not be given. */
export interface ContentProblem {
  /** Such as `spec.template.spec.hostNetwork`. */
  readonly field: string;
  readonly message: string;
}

/** All containers of a pod, with their places. */
export const containersIn = (spec: Readonly<Record<string, unknown>>, at: string) =>
  ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => {
    const containers = spec[list];
    return (Array.isArray(containers) ? containers : []).map((container: unknown, index) => ({
      at: `${at}.${pathText([list, index])}`,
      container: isMap(container) ? container : {},
    }));
  });
