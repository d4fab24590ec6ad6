import type { Settings } from "../../../config/settings.ts";
import { admissionPolicy, refusing } from "../admissionPolicy.ts";
import { fewEnough, ifFew, type Side } from "../fewEnough.ts";
import { changesPods, isHandedOn, podOf, podSpecRequests, pods } from "../podSpecs.ts";
import { allPools, linesOfPools, missingLabels, missingTolerations, ownPool } from "./poolLists.ts";

/**
 * Has pods of a pool's members run on the pool's nodes, and nobody else's: others neither tolerate its taints nor choose
 * nodes by its labels. Where the API server can, `fillIn` has added by now what keeps a pod to its pool. The taints keep
 * others' pods off, whatever they choose; the policy `pods` refuses tolerations of everything, and a node by name.
 *
 * An object keeps what it had. While a run changes a pool, namespaces still name the former one, and no pods are made.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export function poolsPolicy(settings: Settings) {
  const refused = refusing(settings, `, or ask ${settings.contact}`);
  const few = fewEnough({ what: "tolerations, and terms of nodeAffinity with their expressions", itemsOf }, settings);
  const content = {
    requests: podSpecRequests,
    matchCondition: changesPods,
    variables: {
      ...ownPool(settings),
      ...allPools(settings),
      ...pods,
      ...few.variables,
      isHandedOn,
      lines: linesOfPools(settings),
      isKnown: "variables.pool == '' || variables.pool in variables.selectors",
      isPlaced: `(${missingLabels}).size() == 0 && ${ifFew(missingTolerations)}.size() == 0`,
      isAsBefore: `oldObject != null && variables.pod.?nodeSelector.orValue({}) == variables.podBefore.?nodeSelector.orValue({})
        && variables.pod.?tolerations.orValue([]) == variables.podBefore.?tolerations.orValue([])`,
      othersTaints: "variables.taints.filter(taint, !(taint in variables.tolerations))",
      toleratedBefore: "variables.podBefore.?tolerations.orValue([])",
      foreignTolerations: `${ifFew(tolerationsOf("object"))}.filter(each, variables.othersTaints.exists(taint,
        each.?key.orValue('') == taint.key
        && (taint.operator == 'Exists' || each.?operator.orValue('Equal') != 'Equal' || each.?value.orValue('') == taint.value)
        && (each.?effect.orValue('') == '' || taint.?effect.orValue('') == '' || taint.effect == each.effect)))
        .filter(each, !(each in variables.toleratedBefore))`,
      othersLabels: "variables.labels.filter(label, !(label.key in variables.selector))",
      foreignLabels: `variables.othersLabels.filter(label,
        ${isSelected("object")} && !(oldObject != null && ${isSelected("oldObject")}))`,
    },
    validations: [
      refused(
        "variables.isKnown || variables.isHandedOn",
        `"has to wait: the platform is changing the pool of namespace '" + request.namespace + "'; try again in a minute"`,
      ),
      refused(
        "variables.isPlaced || variables.isAsBefore || variables.isHandedOn",
        `"does not run on the nodes of namespace '" + request.namespace + "' alone: have in the pod's spec " + variables.lines[variables.pool]`,
      ),
      refused(
        "variables.foreignTolerations.size() == 0 || variables.isHandedOn",
        `"tolerates '" + string(variables.foreignTolerations[0].key) + "', which keeps pods off the nodes of a pool that is not theirs: leave that toleration out"`,
      ),
      refused(
        "variables.foreignLabels.size() == 0 || variables.isHandedOn",
        `"chooses nodes by '" + variables.foreignLabels[0].key + "', which are a pool's that is not theirs: leave it out of nodeSelector and nodeAffinity"`,
      ),
      few.validation,
    ],
  };
  return admissionPolicy("pools", content, settings);
}

const tolerationsOf = (side: Side) => `${podOf(side)}.?tolerations.orValue([])`;

/** CEL: terms of a nodeAffinity, and those with a weight. */
const affinityOf = (side: Side) => `${podOf(side)}.?affinity.?nodeAffinity`;
const required = (side: Side) =>
  `${affinityOf(side)}.?requiredDuringSchedulingIgnoredDuringExecution.?nodeSelectorTerms.orValue([])`;
const preferred = (side: Side) => `${affinityOf(side)}.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])`;

const itemsOf = (side: Side) => [
  { list: tolerationsOf(side) },
  { list: required(side), within: ["each.?matchExpressions.orValue([])"] },
  { list: preferred(side), within: ["each.?preference.?matchExpressions.orValue([])"] },
];

/** CEL: whether a pod's nodeSelector or nodeAffinity chooses nodes by `label`. */
function isSelected(side: Side): string {
  const terms = ifFew(`(${required(side)} + ${preferred(side)}.map(each, each.preference))`, side);
  return `(${podOf(side)}.?nodeSelector[?label.key].orValue('') == label.value
    || ${terms}.exists(term, term.?matchExpressions.orValue([]).exists(each, each.key == label.key
      && (each.operator == 'In' ? label.value in each.?values.orValue([]) : !(each.operator in ['NotIn', 'DoesNotExist'])))))`;
}
