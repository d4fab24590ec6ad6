import { isCustomVersion, manifestKind, partsOfCustom } from "../names/customKinds.ts";
import { isMap, when } from "../values/maps.ts";
import { pathText } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { placeholders, placeholdersIn, textsIn } from "../values/placeholders.ts";
import { fileKindNames, givenKinds, isGivenKind } from "./givenKinds.ts";
import { kindProblem } from "./kindProblem.ts";
import { allowedKind, type ObjectKind } from "./objectKinds.ts";

/** Why a document is no manifest for members, whoever gets it. @param isTheirs whether it becomes their own */
export function manifestProblems(
  value: unknown,
  objectKinds: readonly ObjectKind[] = [],
  isTheirs?: boolean,
): string[] {
  if (!isMap(value)) {
    return ["is no manifest: it must be a map with apiVersion, kind and metadata"];
  }
  const { apiVersion, kind, metadata, status } = value;
  if (typeof kind !== "string" || kind === "") {
    return ["has no kind"];
  }
  const custom = allowedKind(objectKinds, apiVersion, kind);
  const common = [
    ...metadataProblems(metadata),
    ...when(status !== undefined, "status: is written by the cluster only; leave it out"),
    ...placeholderProblems(value),
  ];
  if (custom !== undefined) {
    // The API server alone knows the kind's fields.
    const why = `kind: members may not write a ${kind}, so it can't be theirs; set edit: true for it in objectKinds`;
    return [...when(isTheirs === true && !custom.isEditable, why), ...common];
  }
  const allowed = partsOfCustomOf(objectKinds, kind);
  if (allowed !== undefined && isCustomVersion(apiVersion) && apiVersion.startsWith(`${allowed.group}/`)) {
    return [`apiVersion: must be ${allowed.apiVersion}, as in objectKinds`];
  }
  if (!isGivenKind(kind) || kind === "Secret" || isCustomVersion(apiVersion)) {
    const known = [...fileKindNames, ...objectKinds.map((each) => manifestKind(each.kind))];
    return [`kind: ${kind} ${kindProblem(kind, apiVersion)}; a file can have ${known.join(", ")}`];
  }
  const own = givenKinds[kind].apiVersion;
  return [
    ...when(apiVersion !== own, `apiVersion: must be ${own}`),
    ...common,
    ...numberProblems(value),
    ...textProblems(value),
  ];
}

const partsOfCustomOf = (objectKinds: readonly ObjectKind[], kind: string) =>
  objectKinds.map((each) => partsOfCustom(each.kind)).find((parts) => parts.kind === kind);

const metadataFields = ["name", "namespace", "labels", "annotations"];

const home = [`\${namespace}`, `\${member}`];

const ownLabels = ["managed-by", "part-of"].map((name) => `app.kubernetes.io/${name}`);

function metadataProblems(metadata: unknown): string[] {
  if (!isMap(metadata)) {
    return ["metadata: is missing"];
  }
  const { name, namespace } = metadata;
  const strange = Object.keys(metadata).filter((key) => !metadataFields.includes(key));
  return [
    ...(typeof name === "string" && name !== "" ? nameProblems(name) : ["metadata.name: is missing"]),
    ...when(
      namespace !== undefined && !home.includes(String(namespace)),
      `metadata.namespace: names '${namespace}', and members get objects in their own namespace only; leave it out`,
    ),
    ...strange.map((key) => `metadata.${key}: can't be set for members; leave it out`),
    ...["labels", "annotations"].flatMap((field) => markProblems(field, metadata[field])),
  ];
}

function nameProblems(name: string): string[] {
  const other = placeholdersIn(name).filter((each) => each === "subject" || each === "url");
  return other.map((each) => `metadata.name: can't have \${${each}}, whose value can be no name; use \${member}`);
}

function markProblems(field: string, marks: unknown): string[] {
  if (marks === undefined) {
    return [];
  }
  if (!isMap(marks)) {
    return [`metadata.${field}: must be a map`];
  }
  return Object.entries(marks).flatMap(([key, value]) => [
    ...when(typeof value !== "string", `metadata.${field}.${key}: must be a string; put it in quotation marks`),
    ...when(
      key.includes("kubecamp.dev/") || key.startsWith("pulumi.com/") || ownLabels.includes(key),
      `metadata.${field}.${key}: is set by kubecamp; leave it out`,
    ),
  ]);
}

function placeholderProblems(manifest: object): string[] {
  return textsIn(manifest).flatMap(({ at, text, isKey }) =>
    isKey
      ? placeholdersIn(text).map(
          (name) => `${pathText(at)}: has \${${name}} in a key; only values can have placeholders`,
        )
      : placeholdersIn(text)
          .filter((name) => !(placeholders as readonly string[]).includes(name))
          .map(
            (name) =>
              `${pathText(at)}: \${${name}} is no placeholder${nearest(name, placeholders)}; write $\${${name}} for the text itself`,
          ),
  );
}

/** Fields of these kinds that hold a number, wherever they are. */
const numbers = new Set([
  ...["replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds", "parallelism", "completions"],
  ...["backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished", "startingDeadlineSeconds"],
  ...["successfulJobsHistoryLimit", "failedJobsHistoryLimit", "terminationGracePeriodSeconds"],
  ...["initialDelaySeconds", "periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold"],
  ...["containerPort", "hostPort", "nodePort", "runAsUser", "runAsGroup", "fsGroup", "defaultMode", "partition"],
]);

/** A text in place of a number, such as one with a placeholder: the API server would refuse it for every member. */
function numberProblems({ spec }: Readonly<Record<string, unknown>>): string[] {
  return textsIn(spec, ["spec"])
    .filter(({ at, isKey }) => !isKey && numbers.has(String(at.at(-1))) && !at.some(isFreeText))
    .map(({ at, text }) =>
      placeholdersIn(text).length > 0
        ? `${pathText(at)}: must be a number, and '${text}' has a placeholder, which makes it a string`
        : `${pathText(at)}: must be a number; '${text}' is a string`,
    );
}

const textMaps = ["labels", "annotations", "matchLabels", "nodeSelector", "volumeAttributes"];

const isFreeText = (key: PropertyKey) => textMaps.includes(String(key));

/** Something else in place of a text, such as an unquoted number: the API server would refuse it for every member. */
function textProblems({ kind, data, binaryData, spec }: Readonly<Record<string, unknown>>): string[] {
  const { selector } = isMap(spec) && kind === "Service" ? spec : {};
  return [
    ...noTexts(data, ["data"]),
    ...noTexts(binaryData, ["binaryData"]),
    ...noTexts(selector, ["spec", "selector"]),
    ...noTextsWithin(spec, ["spec"]),
  ];
}

function noTextsWithin(value: unknown, at: readonly PropertyKey[]): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => noTextsWithin(each, [...at, index]));
  }
  return Object.entries(isMap(value) ? value : {}).flatMap(([key, each]) => {
    const place = [...at, key];
    if (isFreeText(key) || key === "command" || key === "args") {
      return noTexts(each, place);
    }
    return key === "env" && Array.isArray(each)
      ? each.flatMap((entry, index) => (isMap(entry) ? noText(entry.value, [...place, index, "value"]) : []))
      : noTextsWithin(each, place);
  });
}

const noTexts = (of: unknown, at: readonly PropertyKey[]): string[] =>
  Array.isArray(of)
    ? of.flatMap((each, index) => noText(each, [...at, index]))
    : Object.entries(isMap(of) ? of : {}).flatMap(([key, each]) => noText(each, [...at, key]));

const noText = (value: unknown, at: readonly PropertyKey[]): string[] =>
  typeof value === "string" || value === undefined || value === null
    ? []
    : [`${pathText(at)}: must be a string; put it in quotation marks`];
