import { type Amount, keepsPods, most } from "./amount.ts";
import { mostSettings } from "./containers.ts";

/** References as which one counts to a variable that has some itself: each such step multiplies. */
const chained = 20;

/** Limit of references that the API server looks at one by one: with a loop's length, its time grows by the square. */
const mostCounted = 200;

/**
 * References in a container, `$(NAME)`, of which one to a variable that has references itself counts more, unless there are
 * too many: twelve such steps with ten references each would be a million MiB. A name ends at the first `)` and may have a
 * `$(` within, so names are compared by what follows their last one. The kubelet starts a pod's containers one after the other.
 * @see https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
 */
export const references: Amount = {
  name: "references",
  of: (when) => {
    const names = `each.?env.orValue([]).filter(one, one.?value.orValue('').contains('$('))
    .map(one, one.name.substring(('$(' + one.name).lastIndexOf('$(')))`;
    return `variables.written${when} == 0 || variables.written${when} > ${mostCounted} ? variables.written${when}
    : variables.each${when}.map(each, [${words}].map(words, words.size() - 1 + ${chained - 1} * [${names}].map(names,
      words.filter(word, word.split(')')[0] in names).size()).sum()).sum()).max()`;
  },
  from: {
    // Most in one container, unless a pod has too many settings or mounts, which can't change.
    written: (when) => `variables.listed${when} > ${mostSettings} || variables.mounts${when} > ${mostSettings} ? 0
    : ([0] + variables.each${when}.map(each, ${words}.size() - 1)).max()`,
  },
  what: `references, '$(…)', in a container, with each to a variable that has some itself counted ${chained} times, which the kubelet writes out in its memory: leave it at ${most}, write repeated variables out, or put a script into a ConfigMap`,
  limit: most,
  unless: keepsPods,
  isWhole: `variables.written <= ${mostCounted}`,
};

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
