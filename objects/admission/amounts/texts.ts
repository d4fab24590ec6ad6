import { type Amount, most, sideOf, type When } from "./amount.ts";

/** Limit of an object's labels and annotations, with those of its templates and a Service's selector. */
const mostTexts = 1000;

/** Limit of their characters. */
const mostText = 32_768;

/** Characters that each counts as if there are too many to add up their lengths. */
const assumedText = 40;

/** Mentions the selector if it is counted. */
const selectorToo = `(object.kind == 'Service' ? ", with its selector" : "")`;

/** Labels and annotations. Controllers and the platform may write any. */
export const texts: Amount = {
  name: "texts",
  of: (when) => `variables.maps${when}.map(texts, texts.size()).sum()`,
  from: { maps: mapsOf },
  what: `labels and annotations" + ${selectorToo} + ", which everybody reads who lists it: leave it at ${mostTexts}`,
  limit: mostTexts,
  unless: "variables.isController",
  exempt: "variables.isPlatform",
};

/** Their characters, or an estimate if there are too many. */
export const text: Amount = {
  name: "text",
  of: (when) => `variables.texts${when} > ${mostTexts} ? variables.texts${when} * ${assumedText}
    : variables.maps${when}.map(texts, texts.map(key, key.size() + string(texts[key]).size()).sum()).sum()`,
  what: `characters of labels and annotations" + ${selectorToo} + ", which everybody reads who lists it: leave it at ${mostText} (kubectl apply --server-side keeps no copy of the object in an annotation)`,
  limit: mostText,
  unless: "variables.isController",
  exempt: "variables.isPlatform",
};

/**
 * CEL: labels and annotations of an object and its templates, and a Service's selector; of claims, unless they are too many.
 */
function mapsOf(when: When): string {
  const object = sideOf(when);
  const maps = (metadata: string) => ["labels", "annotations"].map((texts) => `${metadata}.?${texts}.orValue({})`);
  // A ResourceClaimTemplate's is its spec.
  const templates = ["spec", "spec.?template", "spec.?jobTemplate", "spec.?jobTemplate.?spec.?template", "template"];
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
