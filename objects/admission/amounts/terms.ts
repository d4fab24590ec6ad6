import { type Amount, keepsPods, most, type When } from "./amount.ts";

/** Values of an expression that count as one more. */
const valuesAtOnce = 10;

/**
 * A pod's terms for the scheduler, tolerations and labels of nodes, with their expressions: the scheduler compares them with
 * every node or pod, and goes through values one by one.
 */
export const terms: Amount = {
  name: "terms",
  of: (when) => {
    const labels = `${together(termsOfPods(when).pods)}.map(each, each.?labelSelector.?matchLabels.orValue({}).size()
    + each.?namespaceSelector.?matchLabels.orValue({}).size() + each.?matchLabelKeys.orValue([]).size()).sum()`;
    const expressions = `variables.expressions${when}`;
    return `variables.places${when} > ${most} ? variables.places${when}
    : [variables.places${when} + ${labels} + ${expressions}.map(list, list.size()).sum()].map(count, count > ${most} ? count
      : count + ${expressions}.map(list, list.map(one, one.?values.orValue([]).size() / ${valuesAtOnce}).sum()).sum()).sum()`;
  },
  from: { places: placesOf, expressions: expressionsOf },
  what: `terms, expressions, tolerations and labels of nodes, which the scheduler compares with every node: leave it at ${most}`,
  limit: most,
  unless: keepsPods,
};

/** A list of terms in CEL, and the field of each that is the term itself, if it has a weight beside it. */
interface Terms {
  readonly list: string;
  readonly term?: string;
}

/** Terms by which the scheduler chooses nodes for a pod, or compares it with other pods. */
function termsOfPods(when: When): Record<"nodes" | "pods", readonly Terms[]> {
  const pod = `variables.pod${when}`;
  const weighed = (affinity: string, required: string, term: string) => {
    const of = (which: string) => `${pod}.?affinity.?${affinity}.?${which}DuringSchedulingIgnoredDuringExecution`;
    return [{ list: `${of("required")}${required}.orValue([])` }, { list: `${of("preferred")}.orValue([])`, term }];
  };
  return {
    nodes: weighed("nodeAffinity", ".?nodeSelectorTerms", "preference"),
    pods: [
      ...["podAffinity", "podAntiAffinity"].flatMap((affinity) => weighed(affinity, "", "podAffinityTerm")),
      { list: `${pod}.?topologySpreadConstraints.orValue([])` },
    ],
  };
}

/** CEL: all of these terms in one list. */
const together = (all: readonly Terms[]) =>
  `(${all.map(({ list, term }) => (term === undefined ? list : `${list}.map(each, each.${term})`)).join(" + ")})`;

/** CEL: number of a pod's terms for the scheduler, tolerations and labels of nodes. */
function placesOf(when: When): string {
  const pod = `variables.pod${when}`;
  const { nodes, pods } = termsOfPods(when);
  const sizes = [...nodes, ...pods].map(({ list }) => `${list}.size()`);
  return `${pod}.?nodeSelector.orValue({}).size() + ${pod}.?tolerations.orValue([]).size() + ${sizes.join(" + ")}`;
}

/** CEL: lists of their expressions, unless there are too many terms. */
function expressionsOf(when: When): string {
  const { nodes, pods } = termsOfPods(when);
  const of = (all: readonly Terms[], fields: readonly string[]) =>
    fields.map((field) => `${together(all)}.map(each, each.?${field}.orValue([]))`);
  const ofPods = ["labelSelector", "namespaceSelector"].map((selector) => `${selector}.?matchExpressions`);
  const all = [...of(nodes, ["matchExpressions", "matchFields"]), ...of(pods, ofPods)];
  return `variables.places${when} > ${most} ? [] : ${all.join(" + ")}`;
}
