import { isController, isPlatform, type PolicyContent, withBefore } from "./admissionPolicy.ts";
import { mostJudged } from "./fewEnough.ts";

/** Annotation that `kubectl rollout restart` sets on the pods' template. */
const restartedAt = "kubectl.kubernetes.io/restartedAt";

/** Most managers that are compared each with each. The API server merges those beyond ten, but for appliers. */
const mostManagers = 100;

/**
 * Has staff restart workloads and change nothing else of them: who may patch a Deployment could mount every Secret of the
 * namespace, or run another image. It judges whoever may not create such an object, whoever they are.
 *
 * Managers keep what is theirs, but for the annotation of a restart: a field that they only seem to own is gone with their next
 * server-side apply. A request may name the managers itself, and the API server believes it.
 *
 * Fields are compared as they are there, so that it holds for those that Kubernetes adds.
 * @see https://kubernetes.io/docs/reference/kubectl/generated/kubectl_rollout/kubectl_rollout_restart/
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export const restartsPolicy: PolicyContent = {
  requests: [
    {
      apiGroups: ["apps"],
      resources: ["daemonsets", "deployments", "statefulsets"],
      operations: ["UPDATE"],
    },
  ],
  variables: {
    ...withBefore({
      annotations: "dyn(object).spec.template.metadata.?annotations.orValue({})",
      managedFields: "dyn(object).metadata.?managedFields.orValue([])",
      // What names a manager, and its fields by depth, down to the annotation of a restart.
      managers: `
        variables.managedFields.map(one, {
          'who': dyn([one.?manager.orValue(''), one.?operation.orValue(''), one.?apiVersion.orValue(''),
            one.?subresource.orValue('')]),
          'fields': dyn([dyn(one.?fieldsV1.orValue({})), dyn(one.?fieldsV1[?'f:spec'].orValue({})),
            dyn(one.?fieldsV1[?'f:spec'][?'f:template'].orValue({})),
            dyn(one.?fieldsV1[?'f:spec'][?'f:template'][?'f:metadata'].orValue({})),
            dyn(one.?fieldsV1[?'f:spec'][?'f:template'][?'f:metadata'][?'f:annotations'].orValue({}))])})`,
    }),
    isFew: `
      variables.annotations.size() <= ${mostJudged} && variables.annotationsBefore.size() <= ${mostJudged}
      && variables.managedFields.size() <= ${mostManagers} && variables.managedFieldsBefore.size() <= ${mostManagers}`,
    // Fields that may differ, at each depth. The dot stands for the annotations themselves, which come with the first one.
    exempt: `
      [['f:spec'], ['f:template'], ['f:metadata'], ['f:annotations'], ['f:${restartedAt}', '.']]`,
    // A manager with nothing else may come and go.
    noManager: "{'who': dyn([]), 'fields': dyn([{}, {}, {}, {}, {}])}",
    keepsManagers: `
      [[variables.managers, variables.managersBefore], [variables.managersBefore, variables.managers]].all(pair,
        pair[0].all(one, (pair[1].filter(other, other.who == one.who) + [variables.noManager]).exists(other,
          [0, 1, 2, 3, 4].all(depth, one.fields[depth].all(key, key in variables.exempt[depth]
            || (key in other.fields[depth] && one.fields[depth][key] == other.fields[depth][key]))))))`,
    keepsAnnotations: `
      [[variables.annotations, variables.annotationsBefore], [variables.annotationsBefore, variables.annotations]].all(pair,
        pair[0].all(key, key == '${restartedAt}' || (key in pair[1] && pair[0][key] == pair[1][key])))`,
    keepsFields: `
      [[dyn(object), dyn(oldObject)], [dyn(oldObject), dyn(object)]].all(pair,
        pair[0].metadata.all(key, key in ['managedFields', 'resourceVersion', 'generation']
          || (key in pair[1].metadata && pair[0].metadata[key] == pair[1].metadata[key]))
        && pair[0].spec.all(key, key in ['template']
          || (key in pair[1].spec && pair[0].spec[key] == pair[1].spec[key]))
        && pair[0].spec.template.all(key, key in ['metadata']
          || (key in pair[1].spec.template && pair[0].spec.template[key] == pair[1].spec.template[key]))
        && pair[0].spec.template.metadata.all(key, key in ['annotations']
          || (key in pair[1].spec.template.metadata
            && pair[0].spec.template.metadata[key] == pair[1].spec.template.metadata[key])))`,
    isRestart: "variables.keepsFields && variables.isFew && variables.keepsAnnotations && variables.keepsManagers",
    mayWrite: `
      authorizer.group('apps').resource(request.resource.resource).namespace(request.namespace)
      .check('create').allowed()`,
    isController,
    isPlatform,
  },
  validations: [
    {
      expression: "variables.isController || variables.mayWrite || variables.isRestart || variables.isPlatform",
      messageExpression: `
        object.kind + " '" + object.metadata.name + "' is the member's: you may restart it, but not change it; "
        + "use 'kubectl rollout restart', or ask " + variables.contact`,
    },
  ],
};
