import { isKubernetesOwn, type Pool, poolName } from "../../../config/member/confinement.ts";
import { poolAnnotation } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import { annotationOf, celText } from "../admissionPolicy.ts";

/** CEL: a map with these texts. CEL takes values of one type in a map, so that what is absent is left out. */
const celMap = (map: object) => {
  const entries = Object.entries(map).filter(([, value]) => value !== undefined);
  return `{${entries.map(([key, value]) => `${celText(key)}: ${celText(value)}`).join(", ")}}`;
};
const celList = (items: readonly object[]) => `[${items.map(celMap).join(", ")}]`;

/** CEL: a map of what each of a stack's pools has, by the pool's name. */
const byPool = (pools: readonly Pool[], of: (pool: Pool) => string) =>
  `{${pools.map((pool) => `${celText(poolName(pool))}: ${of(pool)}`).join(", ")}}`;

/** CEL variables about the namespace's own pool; empty without one. */
export const ownPool = ({ confinement: { pools = [] } = {} }: Pick<Settings, "confinement">) => ({
  pool: annotationOf(poolAnnotation),
  selectors: byPool(pools, ({ nodeSelector }) => celMap(nodeSelector)),
  tolerated: byPool(pools, ({ tolerations }) => celList(tolerations)),
  selector: "variables.pool in variables.selectors ? variables.selectors[variables.pool] : {}",
  tolerations: "variables.pool in variables.tolerated ? variables.tolerated[variables.pool] : []",
});

/** CEL: for each pool, what a pod's spec has to have, in YAML that is JSON. */
export const linesOfPools = ({ confinement: { pools = [] } = {} }: Pick<Settings, "confinement">) =>
  byPool(pools, ({ nodeSelector, tolerations }) =>
    celText(`'nodeSelector: ${JSON.stringify(nodeSelector)}' and 'tolerations: ${JSON.stringify(tolerations)}'`),
  );

/** CEL variables about all pools: their taints, and labels of their nodes that aren't Kubernetes' own. */
export function allPools({ confinement: { pools = [] } = {} }: Pick<Settings, "confinement">) {
  const once = (items: readonly object[]) => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  const labels = pools.flatMap(({ nodeSelector }) =>
    Object.entries(nodeSelector).map(([key, value]) => ({ key, value })),
  );
  return {
    taints: celList(once(pools.flatMap(({ tolerations }) => tolerations))),
    labels: celList(once(labels.filter(({ key }) => !isKubernetesOwn(key)))),
  };
}

/** CEL: tolerations of the pool that a pod has none for. */
export const missingTolerations = `variables.tolerations.filter(one, !variables.pod.?tolerations.orValue([]).exists(each,
  each.?key.orValue('') == one.key
  && (each.?operator.orValue('Equal') == 'Exists'
    || (one.operator == 'Equal' && each.?operator.orValue('Equal') == 'Equal' && each.?value.orValue('') == one.value))
  && (each.?effect.orValue('') == '' || each.?effect.orValue('') == one.?effect.orValue(''))))`;
