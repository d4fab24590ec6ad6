import type { Settings } from "../../../config/model/settings/settings.ts";
import { maxPodsAnnotation } from "../../../naming/labels.ts";
import { mostPodsWithoutQuota } from "../namespace.ts";
import { madeByMembers } from "../rbac/role.ts";
import { admissionPolicy, celText, isController, isPlatform } from "./admissionPolicy.ts";
import type { Side } from "./fewEnough.ts";
import { podSpecOf } from "./podSpecs.ts";

/** Limit of a pod's volumes and files that these name, its containers, references in one of them, and terms for the scheduler. */
const most = 100;

/** Limit of a Service's ports: the quota allows forty Services, and every port has all pods. Charts for tracing have a dozen. */
const mostPorts = 20;

/** Limit of an autoscaler's metrics, of which the quota allows forty. */
const mostMetrics = 10;

/** Limit of a pod's settings: a job of GitLab's has some 200 in each container. */
const mostSettings = 2000;

/** Settings as which something counts that the kubelet fetches, and may be a MiB. */
const fetched = 10;

/** References as which one counts to a variable that has some itself: each such step multiplies. */
const chained = 20;

/** Limit of references that the API server looks at one by one: with a loop's length, its time grows by the square. */
const mostCounted = 200;

/**
 * Limit of a pod's mounts; a node has at most 100,000 of all its pods (`fs.mount-max`). Each step of a Tekton task has those of
 * all its steps.
 */
const mostMounts = 400;

/** Values of an expression that count as one more. */
const valuesAtOnce = 10;

/** Limit of the entries of a ConfigMap or Secret: `managedFields` has each name again, also where only metadata is listed. */
const mostEntries = 1000;

/** Limit of an object's labels and annotations, with those of its templates and a Service's selector. */
const mostTexts = 1000;

/** Limit of their characters. */
const mostText = 32_768;

/** Characters of a word that count as one more: JSON may write each of them as six. */
const longWord = 85;

/** Characters that each counts as if there are too many to add up their lengths. */
const assumedText = 40;

/** Kinds that a member writes only with a further right. */
const byHand = ["podtemplates", "replicationcontrollers", "replicationcontrollers/scale"];

/**
 * Limits amounts that a quota does not count, and that everybody pays for. The controller manager builds all missing pods of
 * a StatefulSet in its memory, whether or not the quota allows them; every node has all ports of all Services; the kubelet
 * pays for files of Secrets, and an object can make it write the same one many times; and everybody who lists objects reads
 * all labels and annotations. An object may keep a former amount, and reduce it.
 *
 * The limits hold for everybody, also for an HPA's controller, which sets the number of pods by `/scale`. Controllers may
 * copy an object that was judged before: a Deployment's to its ReplicaSets, which together exceed it for a moment in a
 * rollout, and a CronJob's to its Jobs. They may write labels and annotations, as may the platform. Each list is asked for
 * its length first, since the API server refuses a policy that costs too much.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export function amountsPolicy(settings: Settings) {
  const refusal = (what: string) =>
    `object.kind + " '" + object.metadata.?name.orValue('') + "' " + ${what} + ${celText(`; ask ${settings.contact} if it has to be`)}`;
  const limited = (amount: string, what: string, limit = most, unless = "", unlike = "") => ({
    expression: `${unless}variables.${amount} <= ${limit} || ${unlike}variables.${amount} <= variables.${amount}Before`,
    messageExpression: refusal(`"has " + string(variables.${amount}) + " ${what}"`),
  });
  /**
   * Nothing is added up while the pods stay as they are, so that finalizers can be taken off whatever there is. Pods that
   * change keep a former amount of settings, mounts and references only if it was added up to its end.
   */
  const limitedOfPods = (amount: string, what: string, limit = most, unlike = "") =>
    limited(amount, what, limit, "variables.pod == variables.podBefore || ", unlike);
  const content = {
    requests: [
      ...madeByMembers(settings),
      { apiGroups: [""], resources: [...byHand, "pods/ephemeralcontainers"] },
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
      containers: containersOf(""),
      containersBefore: containersOf("Before"),
      each: eachContainer(""),
      eachBefore: eachContainer("Before"),
      listed: listedOf(""),
      listedBefore: listedOf("Before"),
      settings: settingsOf(""),
      settingsBefore: settingsOf("Before"),
      mounts: mountsOf(""),
      mountsBefore: mountsOf("Before"),
      written: writtenOf(""),
      writtenBefore: writtenOf("Before"),
      references: referencesOf(""),
      referencesBefore: referencesOf("Before"),
      places: placesOf(""),
      placesBefore: placesOf("Before"),
      expressions: expressionsOf(""),
      expressionsBefore: expressionsOf("Before"),
      terms: termsOf(""),
      termsBefore: termsOf("Before"),
      entries: entriesOf("object"),
      entriesBefore: entriesOf("oldObject"),
      metrics: metricsOf("object"),
      metricsBefore: metricsOf("oldObject"),
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
      limited(
        "ports",
        `ports, each of which every node has to have: leave it at ${mostPorts}, and make another Service for more`,
        mostPorts,
      ),
      limited(
        "volumes",
        `volumes, with the sources of projected ones, which its node would have to mount: leave it at ${most}`,
      ),
      limited(
        "containers",
        `containers, ports, and words of their preStop hooks and terminationMessagePath together, which its node keeps: leave it at ${most}`,
      ),
      limited(
        "metrics",
        `metrics, which the controller of all autoscalers asks for again and again: leave it at ${mostMetrics}`,
        mostMetrics,
      ),
      limitedOfPods(
        "settings",
        `settings of its containers, with what comes from elsewhere (envFrom, valueFrom, imagePullSecrets) counted ${fetched} times, which the kubelet keeps in its memory: leave it at ${mostSettings}, or take whole Secrets and ConfigMaps by envFrom or as files`,
        mostSettings,
        `variables.listed <= ${mostSettings} && `,
      ),
      limitedOfPods(
        "mounts",
        `mounts in its containers, each of which its node makes: leave it at ${mostMounts}, or mount whole volumes`,
        mostMounts,
        `variables.mounts <= ${mostSettings} && `,
      ),
      limitedOfPods(
        "references",
        `references, '$(…)', in a container, with each to a variable that has some itself counted ${chained} times, which the kubelet writes out in its memory: leave it at ${most}, write repeated variables out, or put a script into a ConfigMap`,
        most,
        `variables.written <= ${mostCounted} && `,
      ),
      limitedOfPods(
        "terms",
        `terms, expressions, tolerations and labels of nodes, which the scheduler compares with every node: leave it at ${most}`,
      ),
      limited(
        "entries",
        `entries, whose names everybody reads who lists it: leave it at ${mostEntries}, and make another one for more`,
        mostEntries,
      ),
      limited(
        "files",
        `items in its volumes, which the node would keep in its memory: leave it at ${most}, or leave items out to have all of a Secret or ConfigMap`,
      ),
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

/** CEL: number of pods that an object, or a Scale of it, asks for at once; 0 for a kind without such a field. */
function podsOf(object: Side): string {
  const at = (path: string) => `int(dyn(${object}).?spec.?${path}.orValue(0))`;
  return [
    `${object} == null ? 0`,
    `${object}.kind == 'CronJob' ? ${at("jobTemplate.?spec.?parallelism")}`,
    `${object}.kind == 'Job' ? ${at("parallelism")}`,
    `${object}.kind == 'HorizontalPodAutoscaler' ? ${at("maxReplicas")}`,
    at("replicas"),
  ].join(" : ");
}

/** CEL: name of the field with that number. */
const podsField = `(object.kind in ['CronJob', 'Job'] ? 'parallelism' : object.kind == 'HorizontalPodAutoscaler' ? 'maxReplicas' : 'replicas')`;

/** CEL: number of a Service's ports. */
const portsOf = (object: Side) =>
  `${object} == null || ${object}.kind != 'Service' ? 0 : dyn(${object}).?spec.?ports.orValue([]).size()`;

/** Suffix of a variable's name: `Before` if it is about the old object. */
type When = "" | "Before";

/** CEL: a StatefulSet's claim templates, each of which is a volume of every pod. */
const claimsOf = (object: Side) => `${object} == null ? [] : dyn(${object}).?spec.?volumeClaimTemplates.orValue([])`;

/** CEL: number of a pod's volumes, with the sources of projected ones. */
function volumesOf(when: When): string {
  const volumes = `variables.pod${when}.?volumes.orValue([])`;
  const sources = `${volumes}.map(each, each.?projected.?sources.orValue([]).size()).sum()`;
  const all = `${volumes}.size() + variables.claims${when}.size()`;
  return `${all} > ${most} ? ${all} : ${all} + ${sources}`;
}

/**
 * CEL: number of a pod's containers, with their ports, and the words of their preStop hooks and `terminationMessagePath`: the
 * kubelet writes all of that on each container, and can't list them any more if it is too much. A word counts by its length.
 * @see https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/
 */
function containersOf(when: When): string {
  const all = eachContainer(when);
  const hook = "each.?lifecycle.?preStop";
  const sum = (list: string, size: string) =>
    `(${list}.size() > ${most} ? ${list}.size() : ${list}.map(word, 1 + ${size} / ${longWord}).sum())`;
  const ports = sum("each.?ports.orValue([])", "word.?hostIP.orValue('').size()");
  const words = sum(`${hook}.?exec.?command.orValue([])`, "word.size()");
  const headers = sum(`${hook}.?httpGet.?httpHeaders.orValue([])`, "(word.name.size() + word.value.size())");
  const texts = [`${hook}.?httpGet.?path`, "each.?terminationMessagePath"].map((text) => `${text}.orValue('').size()`);
  return `${all}.size() > ${most} ? ${all}.size() : ${all}.size() + ${all}.map(each,
      ${ports} + ${words} + ${headers} + (${texts.join(" + ")}) / ${longWord}).sum()`;
}

/** CEL: a pod's containers of all kinds. */
const eachContainer = (when: When) =>
  `(${["initContainers", "containers", "ephemeralContainers"].map((field) => `variables.pod${when}.?${field}.orValue([])`).join(" + ")})`;

/** CEL: sum of such lists' lengths over all containers, unless there are too many of them. */
const sizesOf = (lists: readonly string[], limit: number, when: When) =>
  `(variables.each${when}.size() > ${most} ? ${limit} + variables.each${when}.size()
    : variables.each${when}.map(each, ${lists.map((list) => `each.?${list}.orValue([]).size()`).join(" + ")}).sum())`;

/** CEL: number of a pod's variables, sources of such, and Secrets for registries. */
const listedOf = (when: When) =>
  `variables.pod${when}.?imagePullSecrets.orValue([]).size() + ${sizesOf(["env", "envFrom"], mostSettings, when)}`;

/** Sources of a variable for which the kubelet asks the API server, or reads a volume. */
const fetches = ["secretKeyRef", "configMapKeyRef", "fileKeyRef"];

/** CEL: the same, of which what the kubelet fetches counts more, unless there are too many of them. */
const settingsOf = (when: When) =>
  `variables.listed${when} > ${mostSettings} ? variables.listed${when}
    : variables.listed${when} + ${fetched - 1} * (variables.pod${when}.?imagePullSecrets.orValue([]).size()
      + variables.each${when}.map(each, each.?envFrom.orValue([]).size()
        + each.?env.orValue([]).filter(one, has(one.valueFrom) && (${fetches.map((source) => `has(one.valueFrom.${source})`).join(" || ")})).size()).sum())`;

/** CEL: number of a pod's mounts. */
const mountsOf = (when: When) => sizesOf(["volumeMounts", "volumeDevices"], mostMounts, when);

/** Lists of texts in which the kubelet writes out references for a container. */
const expanded = [
  ...["command", "args", ...["liveness", "readiness", "startup"].map((asked) => `${asked}Probe.?exec.?command`)].map(
    (command) => `each.?${command}.orValue([])`,
  ),
  "each.?env.orValue([]).map(one, one.?value.orValue(''))",
  "each.?volumeMounts.orValue([]).map(one, one.?subPathExpr.orValue(''))",
];

/** CEL: what stands after each `$(` of a container. What is before any is first: a line break, as in no name, and more. */
const words = `('\\n' + (${expanded.join(" + ")}).join('\\n')).split('$(')`;

/** CEL: most references in a container, unless a pod has too many settings or mounts, which can't change. */
const writtenOf = (when: When) =>
  `variables.listed${when} > ${mostSettings} || variables.mounts${when} > ${mostSettings} ? 0
    : ([0] + variables.each${when}.map(each, ${words}.size() - 1)).max()`;

/**
 * CEL: the same, of which one to a variable that has references itself counts more, unless there are too many: twelve such
 * steps with ten references each would be a million MiB. A name ends at the first `)` and may have a `$(` within, so names
 * are compared by what follows their last one. The kubelet starts a pod's containers one after the other.
 * @see https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
 */
function referencesOf(when: When): string {
  const names = `each.?env.orValue([]).filter(one, one.?value.orValue('').contains('$('))
    .map(one, one.name.substring(('$(' + one.name).lastIndexOf('$(')))`;
  return `variables.written${when} == 0 || variables.written${when} > ${mostCounted} ? variables.written${when}
    : variables.each${when}.map(each, [${words}].map(words, words.size() - 1 + ${chained - 1} * [${names}].map(names,
      words.filter(word, word.split(')')[0] in names).size()).sum()).sum()).max()`;
}

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
const together = (terms: readonly Terms[]) =>
  `(${terms.map(({ list, term }) => (term === undefined ? list : `${list}.map(each, each.${term})`)).join(" + ")})`;

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
  const of = (terms: readonly Terms[], fields: readonly string[]) =>
    fields.map((field) => `${together(terms)}.map(each, each.?${field}.orValue([]))`);
  const ofPods = ["labelSelector", "namespaceSelector"].map((selector) => `${selector}.?matchExpressions`);
  const all = [...of(nodes, ["matchExpressions", "matchFields"]), ...of(pods, ofPods)];
  return `variables.places${when} > ${most} ? [] : ${all.join(" + ")}`;
}

/**
 * CEL: number of them with their expressions, which the scheduler compares with every node or pod; it goes through values one
 * by one.
 */
function termsOf(when: When): string {
  const labels = `${together(termsOfPods(when).pods)}.map(each, each.?labelSelector.?matchLabels.orValue({}).size()
    + each.?namespaceSelector.?matchLabels.orValue({}).size() + each.?matchLabelKeys.orValue([]).size()).sum()`;
  const expressions = `variables.expressions${when}`;
  return `variables.places${when} > ${most} ? variables.places${when}
    : [variables.places${when} + ${labels} + ${expressions}.map(list, list.size()).sum()].map(count, count > ${most} ? count
      : count + ${expressions}.map(list, list.map(one, one.?values.orValue([]).size() / ${valuesAtOnce}).sum()).sum()).sum()`;
}

/** CEL: number of a ConfigMap's or Secret's entries. */
const entriesOf = (object: Side) =>
  `${object} == null || !(${object}.kind in ['ConfigMap', 'Secret']) ? 0
    : dyn(${object}).?data.orValue({}).size() + dyn(${object}).?binaryData.orValue({}).size()`;

/** CEL: number of an autoscaler's metrics. */
const metricsOf = (object: Side) =>
  `${object} == null || ${object}.kind != 'HorizontalPodAutoscaler' ? 0 : dyn(${object}).?spec.?metrics.orValue([]).size()`;

/** CEL: number of items in all volumes, unless there are too many volumes. */
function filesOf(when: When): string {
  const itemsOf = (source: string) =>
    ["secret", "configMap", "downwardAPI"].map((of) => `${source}.?${of}.?items.orValue([]).size()`).join(" + ");
  return `variables.volumes${when} > ${most} ? 0
    : variables.pod${when}.?volumes.orValue([]).map(each, ${itemsOf("each")}
      + each.?projected.?sources.orValue([]).map(source, ${itemsOf("source")}).sum()).sum()`;
}

/**
 * CEL: labels and annotations of an object and its templates, and a Service's selector; of claims, unless they are too many.
 */
function mapsOf(object: Side, when: When): string {
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

/** Mentions the selector if it is counted. */
const selectorToo = `(object.kind == 'Service' ? ", with its selector" : "")`;

/** CEL: number of their entries. */
const textsOf = (when: When) => `variables.maps${when}.map(texts, texts.size()).sum()`;

/** CEL: number of their characters, or an estimate if there are too many entries. */
const textOf = (when: When) =>
  `variables.texts${when} > ${mostTexts} ? variables.texts${when} * ${assumedText}
    : variables.maps${when}.map(texts, texts.map(key, key.size() + string(texts[key]).size()).sum()).sum()`;
