import type { Settings } from "../../../config/settings.ts";
import { type PolicyContent, title, type Validation, withBefore } from "../admissionPolicy.ts";
import { fewEnough, fewItemsWith } from "../fewEnough.ts";
import { isHandedOn, podChanges, podSpec } from "../podSpecs.ts";
import { allPools, linesOfPools, missingTolerations, ownPool } from "./poolLists.ts";

/**
 * Has pods of a pool's members run on the pool's nodes, and nobody else's: others neither tolerate its taints nor choose
 * nodes by its labels. Where the API server can, `fillIn` has added by now what keeps a pod to its pool. The taints keep
 * others' pods off, whatever they choose; the policy `pods` refuses tolerations of everything, and a node by name.
 *
 * An object keeps what it had. While a run changes a pool, namespaces still name the former one, and no pods are made.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export function poolsPolicy(settings: Settings): PolicyContent {
  const ofPools = { ...ownPool(settings), ...allPools(settings), lines: linesOfPools(settings) };
  return { ...podChanges, variables: { ...ofPools, ...variables }, validations };
}

const variables = {
  title,
  ...withBefore({
    pod: podSpec,
    podTolerations: "variables.pod.?tolerations.orValue([])",
    podLabels: "variables.pod.?nodeSelector.orValue({})",
    affinity: "variables.pod.?affinity.?nodeAffinity.orValue({})",
    required: "variables.affinity.?requiredDuringSchedulingIgnoredDuringExecution.?nodeSelectorTerms.orValue([])",
    preferred: "variables.affinity.?preferredDuringSchedulingIgnoredDuringExecution.orValue([])",
    judged: "[variables.podTolerations, variables.required, variables.preferred]",
    ...fewItemsWith(`variables.required.map(each, each.?matchExpressions.orValue([]).size()).sum()
        + variables.preferred.map(each, each.?preference.?matchExpressions.orValue([]).size()).sum()`),
    terms: "variables.isFew ? variables.required + variables.preferred.map(each, each.preference) : []",
    // Labels by which its nodeSelector or nodeAffinity chooses nodes.
    chosen: `
      variables.labels.filter(label, variables.podLabels[?label.key].orValue('') == label.value
        || variables.terms.exists(term, term.?matchExpressions.orValue([]).exists(each, each.key == label.key
          && (each.operator == 'In' ? label.value in each.?values.orValue([])
            : !(each.operator in ['NotIn', 'DoesNotExist'])))))`,
  }),
  isHandedOn,
  isKnown: "variables.pool == '' || variables.pool in variables.selectors",
  missingLabels: `
    variables.selector.filter(key, variables.podLabels[?key].orValue('') != variables.selector[key])`,
  missingTolerations: `!variables.isFew ? [] : ${missingTolerations}`,
  isPlaced: "variables.missingLabels.size() == 0 && variables.missingTolerations.size() == 0",
  isAsBefore: `
    oldObject != null && variables.podLabels == variables.podLabelsBefore
    && variables.podTolerations == variables.podTolerationsBefore`,
  othersTaints: "variables.taints.filter(taint, !(taint in variables.tolerations))",
  foreignTolerations: `
    (variables.isFew ? variables.podTolerations : []).filter(each, variables.othersTaints.exists(taint,
      each.?key.orValue('') == taint.key
      && (taint.operator == 'Exists' || each.?operator.orValue('Equal') != 'Equal' || each.?value.orValue('') == taint.value)
      && (each.?effect.orValue('') == '' || taint.?effect.orValue('') == '' || taint.effect == each.effect)))
    .filter(each, !(each in variables.podTolerationsBefore))`,
  foreignLabels: `
    variables.chosen.filter(label, !(label.key in variables.selector)
      && !(oldObject != null && label in variables.chosenBefore))`,
};

const validations: readonly Validation[] = [
  {
    expression: "variables.isKnown || variables.isHandedOn",
    messageExpression: `
      variables.title + "has to wait: the platform is changing the pool of namespace '" + request.namespace
      + "'; try again in a minute, or ask " + variables.contact`,
  },
  {
    expression: "variables.isPlaced || variables.isAsBefore || variables.isHandedOn",
    messageExpression: `
      variables.title + "does not run on the nodes of namespace '" + request.namespace
      + "' alone: have in the pod's spec " + variables.lines[variables.pool] + ", or ask " + variables.contact`,
  },
  {
    expression: "variables.foreignTolerations.size() == 0 || variables.isHandedOn",
    messageExpression: `
      variables.title + "tolerates '" + string(variables.foreignTolerations[0].key)
      + "', which keeps pods off the nodes of a pool that is not theirs: leave that toleration out, or ask " + variables.contact`,
  },
  {
    expression: "variables.foreignLabels.size() == 0 || variables.isHandedOn",
    messageExpression: `
      variables.title + "chooses nodes by '" + variables.foreignLabels[0].key
      + "', which are a pool's that is not theirs: leave it out of nodeSelector and nodeAffinity, or ask " + variables.contact`,
  },
  fewEnough("tolerations, and terms of nodeAffinity with their expressions"),
];
