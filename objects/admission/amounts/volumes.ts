import { type Amount, most, sideOf, type When } from "./amount.ts";

/** A pod's volumes, with the sources of projected ones. A StatefulSet's claim templates are volumes of every pod. */
export const volumes: Amount = {
  name: "volumes",
  of: (when) => {
    const list = volumesOf(when);
    const sources = `${list}.map(each, each.?projected.?sources.orValue([]).size()).sum()`;
    const all = `${list}.size() + variables.claims${when}.size()`;
    return `${all} > ${most} ? ${all} : ${all} + ${sources}`;
  },
  from: {
    claims: (when) => `${sideOf(when)} == null ? [] : dyn(${sideOf(when)}).?spec.?volumeClaimTemplates.orValue([])`,
  },
  what: `volumes, with the sources of projected ones, which its node would have to mount: leave it at ${most}`,
  limit: most,
};

/** Items in all volumes, unless there are too many volumes. An object can make the kubelet write the same file many times. */
export const files: Amount = {
  name: "files",
  of: (when) => {
    const itemsOf = (source: string) =>
      ["secret", "configMap", "downwardAPI"].map((of) => `${source}.?${of}.?items.orValue([]).size()`).join(" + ");
    return `variables.volumes${when} > ${most} ? 0
    : ${volumesOf(when)}.map(each, ${itemsOf("each")}
      + each.?projected.?sources.orValue([]).map(source, ${itemsOf("source")}).sum()).sum()`;
  },
  what: `items in its volumes, which the node would keep in its memory: leave it at ${most}, or leave items out to have all of a Secret or ConfigMap`,
  limit: most,
};

/** CEL: a pod's volumes. */
const volumesOf = (when: When) => `variables.pod${when}.?volumes.orValue([])`;
