import { type Amount, keepsPods, most, type When } from "./amount.ts";

/** Limit of a pod's settings: a job of GitLab's has some 200 in each container. */
export const mostSettings = 2000;

/** Settings as which something counts that the kubelet fetches, and may be a MiB. */
const fetched = 10;

/**
 * Limit of a pod's mounts; a node has at most 100,000 of all its pods (`fs.mount-max`). Each step of a Tekton task has those of
 * all its steps.
 */
export const mostMounts = 400;

/** Characters of a word that count as one more: JSON may write each of them as six. */
const longWord = 85;

/**
 * A pod's containers, with their ports, and the words of their preStop hooks and `terminationMessagePath`: the kubelet writes
 * all of that on each container, and can't list them any more if it is too much. A word counts by its length.
 * @see https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/
 */
export const containers: Amount = {
  name: "containers",
  of: (when) => {
    const all = eachContainer(when);
    const hook = "each.?lifecycle.?preStop";
    const sum = (list: string, size: string) =>
      `(${list}.size() > ${most} ? ${list}.size() : ${list}.map(word, 1 + ${size} / ${longWord}).sum())`;
    const ports = sum("each.?ports.orValue([])", "word.?hostIP.orValue('').size()");
    const words = sum(`${hook}.?exec.?command.orValue([])`, "word.size()");
    const headers = sum(`${hook}.?httpGet.?httpHeaders.orValue([])`, "(word.name.size() + word.value.size())");
    const texts = [`${hook}.?httpGet.?path`, "each.?terminationMessagePath"].map(
      (text) => `${text}.orValue('').size()`,
    );
    return `${all}.size() > ${most} ? ${all}.size() : ${all}.size() + ${all}.map(each,
      ${ports} + ${words} + ${headers} + (${texts.join(" + ")}) / ${longWord}).sum()`;
  },
  what: `containers, ports, and words of their preStop hooks and terminationMessagePath together, which its node keeps: leave it at ${most}`,
  limit: most,
};

/** A pod's variables, sources of such, and Secrets for registries. What the kubelet fetches counts more. */
export const settings: Amount = {
  name: "settings",
  of: (when) => `variables.listed${when} > ${mostSettings} ? variables.listed${when}
    : variables.listed${when} + ${fetched - 1} * (variables.pod${when}.?imagePullSecrets.orValue([]).size()
      + variables.each${when}.map(each, each.?envFrom.orValue([]).size()
        + each.?env.orValue([]).filter(one, has(one.valueFrom) && (${fetches.map((source) => `has(one.valueFrom.${source})`).join(" || ")})).size()).sum())`,
  from: {
    each: eachContainer,
    listed: (when) =>
      `variables.pod${when}.?imagePullSecrets.orValue([]).size() + ${sizesOf(["env", "envFrom"], mostSettings, when)}`,
  },
  what: `settings of its containers, with what comes from elsewhere (envFrom, valueFrom, imagePullSecrets) counted ${fetched} times, which the kubelet keeps in its memory: leave it at ${mostSettings}, or take whole Secrets and ConfigMaps by envFrom or as files`,
  limit: mostSettings,
  unless: keepsPods,
  isWhole: `variables.listed <= ${mostSettings}`,
};

/** A pod's mounts. */
export const mounts: Amount = {
  name: "mounts",
  of: (when) => sizesOf(["volumeMounts", "volumeDevices"], mostMounts, when),
  what: `mounts in its containers, each of which its node makes: leave it at ${mostMounts}, or mount whole volumes`,
  limit: mostMounts,
  unless: keepsPods,
  isWhole: `variables.mounts <= ${mostSettings}`,
};

/** Sources of a variable for which the kubelet asks the API server, or reads a volume. */
const fetches = ["secretKeyRef", "configMapKeyRef", "fileKeyRef"];

/** CEL: a pod's containers of all kinds. */
function eachContainer(when: When): string {
  const lists = ["initContainers", "containers", "ephemeralContainers"];
  return `(${lists.map((field) => `variables.pod${when}.?${field}.orValue([])`).join(" + ")})`;
}

/** CEL: sum of such lists' lengths over all containers, unless there are too many of them. */
const sizesOf = (lists: readonly string[], limit: number, when: When) =>
  `(variables.each${when}.size() > ${most} ? ${limit} + variables.each${when}.size()
    : variables.each${when}.map(each, ${lists.map((list) => `each.?${list}.orValue([]).size()`).join(" + ")}).sum())`;
