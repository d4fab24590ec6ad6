import type { Settings } from "../../../config/model/settings.ts";
import { maxPodsAnnotation } from "../../../naming/labels.ts";
import { mostPodsWithoutQuota } from "../namespace.ts";
import { madeByMembers } from "../role.ts";
import { admissionPolicy, celText, isController, isPlatform } from "./admissionPolicy.ts";
import { podSpecOf } from "./podSpecs.ts";

/** Ports of a Service, volumes of a pod, and files that these name. */
const most = 100;

/** Labels and annotations of an object, those of its templates and a Service's selector included. */
const mostTexts = 1000;

/** Characters of these. */
const mostText = 32_768;

/** Where there are more of them than may be, their lengths are not added up: each counts as so many characters. */
const assumedText = 40;

/** Kinds of which a member writes none unless somebody gives them the right. */
const byHand = ["podtemplates", "replicationcontrollers", "replicationcontrollers/scale"];

type Judged = "object" | "oldObject";

/**
 * What a quota does not count, and everybody pays for: the controller manager builds all missing pods of a StatefulSet in
 * its memory, whether the quota lets them run or not; every node has all ports of all Services; the kubelet pays for files
 * of Secrets, and may be told to write the same one many times; and whoever lists objects reads all labels and annotations.
 * What an object had before, it keeps, and may make less of.
 *
 * It holds for everybody, also for an HPA's controller, which asks for pods by `/scale`. Controllers are free to hand on what
 * was judged when it was asked for: a Deployment's to its ReplicaSets, which are more than it for a moment in a rollout, and
 * a CronJob's to its Jobs; and to write labels and annotations, as the platform may. Each list is asked for its length
 * before anything else, since the API server gives up on a policy that takes too much.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export function amountsPolicy(settings: Settings) {
  const refusal = (what: string) =>
    `object.kind + " '" + object.metadata.?name.orValue('') + "' " + ${what} + ${celText(`; ask ${settings.contact} if it has to be`)}`;
  const grown = (amount: string) =>
    `variables.${amount} <= ${most} || variables.${amount} <= variables.${amount}Before`;
  const content = {
    requests: [
      ...madeByMembers,
      { apiGroups: [""], resources: byHand },
      { apiGroups: ["apps"], resources: ["deployments/scale", "replicasets/scale", "statefulsets/scale"] },
    ],
    variables: {
      maxPods: `int(namespaceObject.metadata.?annotations[?'${maxPodsAnnotation}'].orValue('${mostPodsWithoutQuota}'))`,
      pods: podsOf("object"),
      podsBefore: podsOf("oldObject"),
      ports: portsOf("object"),
      portsBefore: portsOf("oldObject"),
      pod: podSpecOf("object"),
      podBefore: podSpecOf("oldObject"),
      claims: claimsOf("object"),
      claimsBefore: claimsOf("oldObject"),
      volumes: volumesOf(""),
      volumesBefore: volumesOf("Before"),
      files: filesOf(""),
      filesBefore: filesOf("Before"),
      maps: mapsOf("object", ""),
      mapsBefore: mapsOf("oldObject", "Before"),
      texts: textsOf(""),
      textsBefore: textsOf("Before"),
      text: textOf(""),
      textBefore: textOf("Before"),
      isController,
      isPlatform,
      isHandedOn: `variables.isController && request.resource.resource in ['jobs', 'replicasets']
        && request.?subResource.orValue('') == ''`,
    },
    validations: [
      {
        expression:
          "variables.pods <= variables.maxPods || variables.pods <= variables.podsBefore || variables.isHandedOn",
        messageExpression: refusal(
          `"asks for " + string(variables.pods) + " pods at once (" + ${podsField} + "), and namespace '" + request.namespace + "' may have "
          + string(variables.maxPods) + ": ask for no more than that"`,
        ),
      },
      {
        expression: grown("ports"),
        messageExpression: refusal(
          `"has " + string(variables.ports) + " ports, each of which every node has to have: leave it at ${most}, and make another Service for more"`,
        ),
      },
      {
        expression: grown("volumes"),
        messageExpression: refusal(
          `"has " + string(variables.volumes) + " volumes, with the sources of projected ones, which its node would have to mount: leave it at ${most}"`,
        ),
      },
      {
        expression: grown("files"),
        messageExpression: refusal(
          `"has " + string(variables.files) + " items in its volumes, which the node would keep in its memory: leave it at ${most}, or leave items out to have all of a Secret or ConfigMap"`,
        ),
      },
      {
        expression: `variables.isController || variables.texts <= ${mostTexts} || variables.texts <= variables.textsBefore || variables.isPlatform`,
        messageExpression: refusal(
          `"has " + string(variables.texts) + " labels and annotations" + ${selectorToo} + ", which everybody reads who lists it: leave it at ${mostTexts}"`,
        ),
      },
      {
        expression: `variables.isController || variables.text <= ${mostText} || variables.text <= variables.textBefore || variables.isPlatform`,
        messageExpression: refusal(
          `"has " + string(variables.text) + " characters of labels and annotations" + ${selectorToo} + ", which everybody reads who lists it: leave it at ${mostText} (kubectl apply --server-side keeps no copy of the object in an annotation)"`,
        ),
      },
    ],
  };
  return admissionPolicy("amounts", content, settings);
}

/** CEL: how many pods an object asks for at once; none, if it is not for it to say. An object of the kind Scale says it likewise. */
function podsOf(object: Judged): string {
  const at = (path: string) => `int(dyn(${object}).?spec.?${path}.orValue(0))`;
  return [
    `${object} == null ? 0`,
    `${object}.kind == 'CronJob' ? ${at("jobTemplate.?spec.?parallelism")}`,
    `${object}.kind == 'Job' ? ${at("parallelism")}`,
    `${object}.kind == 'HorizontalPodAutoscaler' ? ${at("maxReplicas")}`,
    at("replicas"),
  ].join(" : ");
}

/** CEL: the field by which it does. */
const podsField = `(object.kind in ['CronJob', 'Job'] ? 'parallelism' : object.kind == 'HorizontalPodAutoscaler' ? 'maxReplicas' : 'replicas')`;

/** CEL: how many ports a Service has. */
const portsOf = (object: Judged) =>
  `${object} == null || ${object}.kind != 'Service' ? 0 : dyn(${object}).?spec.?ports.orValue([]).size()`;

/** After which variable's name `Before` stands, if that is about what there was. */
type When = "" | "Before";

/** CEL: templates of a StatefulSet's claims, each of which is a volume of every pod. */
const claimsOf = (object: Judged) => `${object} == null ? [] : dyn(${object}).?spec.?volumeClaimTemplates.orValue([])`;

/** CEL: how many volumes a pod has, with whatever projected ones are made of. */
function volumesOf(when: When): string {
  const volumes = `variables.pod${when}.?volumes.orValue([])`;
  const sources = `${volumes}.map(each, each.?projected.?sources.orValue([]).size()).sum()`;
  const all = `${volumes}.size() + variables.claims${when}.size()`;
  return `${all} > ${most} ? ${all} : ${all} + ${sources}`;
}

/** CEL: how many items all of these name, if they are not too many themselves. */
function filesOf(when: When): string {
  const itemsOf = (source: string) =>
    ["secret", "configMap", "downwardAPI"].map((of) => `${source}.?${of}.?items.orValue([]).size()`).join(" + ");
  return `variables.volumes${when} > ${most} ? 0
    : variables.pod${when}.?volumes.orValue([]).map(each, ${itemsOf("each")}
      + each.?projected.?sources.orValue([]).map(source, ${itemsOf("source")}).sum()).sum()`;
}

/** CEL: an object's labels and annotations, those of its templates, and a Service's selector; of claims, if they are not too many. */
function mapsOf(object: Judged, when: When): string {
  const maps = (metadata: string) => ["labels", "annotations"].map((texts) => `${metadata}.?${texts}.orValue({})`);
  const templates = ["spec.?template", "spec.?jobTemplate", "spec.?jobTemplate.?spec.?template", "template"];
  const own = ["", ...templates.map((template) => `${template}.?`)].flatMap((place) =>
    maps(`dyn(${object}).?${place}metadata`),
  );
  const selector = `(${object}.kind == 'Service' ? dyn(${object}).?spec.?selector.orValue({}) : dyn({}))`;
  const ofClaims = `(variables.claims${when}.map(each, each.?metadata)
    + variables.pod${when}.?volumes.orValue([]).map(each, each.?ephemeral.?volumeClaimTemplate.?metadata))`;
  const claims = maps("each").map((map) => `${ofClaims}.map(each, ${map})`);
  return `${object} == null ? [] : [${[...own, selector].join(", ")}]
    + (variables.volumes${when} > ${most} ? [] : ${claims.join(" + ")})`;
}

/** Said where that is counted, too. */
const selectorToo = `(object.kind == 'Service' ? ", with its selector" : "")`;

/** CEL: how many entries these have. */
const textsOf = (when: When) => `variables.maps${when}.map(texts, texts.size()).sum()`;

/** CEL: how many characters, or as many as they are taken for. */
const textOf = (when: When) =>
  `variables.texts${when} > ${mostTexts} ? variables.texts${when} * ${assumedText}
    : variables.maps${when}.map(texts, texts.map(key, key.size() + string(texts[key]).size()).sum()).sum()`;
