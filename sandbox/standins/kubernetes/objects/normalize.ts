/** Converts inputs to the API server's form, so that equal meanings compare as equal. */
import {
  containsUnknowns,
  isProps,
  mapProps,
  type Props,
  propsOf,
  textAt,
  type Value,
} from "../../../../buckets/protocol/values.ts";
import { formatQuantity } from "./quantity.ts";

const readOnly = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "uid",
];

/** Kubernetes' own API groups; the meaning of a custom kind's fields is unknown. */
const builtInGroups = new Set([
  ...["", "apps", "autoscaling", "batch", "policy"],
  ...[
    ...["admissionregistration", "apiextensions", "apiregistration", "authentication", "authorization"],
    ...["certificates", "coordination", "discovery", "events", "flowcontrol.apiserver", "networking", "node"],
    ...["rbac.authorization", "resource", "scheduling", "storage"],
  ].map((group) => `${group}.k8s.io`),
]);

/** Fields of built-in kinds that map names to quantities. */
const quantityMaps = new Set([
  "capacity",
  "default",
  "defaultRequest",
  "hard",
  "limits",
  "max",
  "maxLimitRequestRatio",
  "min",
  "overhead",
  "requests",
]);

/** Takes and returns inputs without secret markers. */
export function normalize(inputs: Props): Props {
  const normal = containsUnknowns(inputs) || !isBuiltIn(inputs) ? inputs : normalizeBuiltIn(inputs);
  if (!isProps(normal.metadata)) {
    return normal;
  }
  const writable = Object.entries(normal.metadata).filter(([key]) => !readOnly.includes(key));
  return { ...normal, metadata: Object.fromEntries(writable) };
}

function normalizeBuiltIn(inputs: Props): Props {
  if (inputs.kind === "Secret") {
    return normalizeSecret(inputs);
  }
  return { ...propsOf(withoutNulls(inputs)), ...(isProps(inputs.spec) ? { spec: quantities(inputs.spec) } : {}) };
}

export function isBuiltIn(object: Props): boolean {
  const apiVersion = textAt(object, "apiVersion");
  return builtInGroups.has(apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf("/"))));
}

/** The API server stores `stringData` as `data`. */
function normalizeSecret(inputs: Props): Props {
  const { stringData, ...rest } = inputs;
  const encoded = mapProps(propsOf(stringData), (text) => Buffer.from(String(text)).toString("base64"));
  if (Object.keys(encoded).length > 0) {
    return { ...rest, data: { ...propsOf(rest.data), ...encoded } };
  }
  if (!isProps(inputs.data)) {
    return inputs;
  }
  // Decoding and encoding again removes line breaks, as the server does.
  const data = mapProps(inputs.data, (text) => Buffer.from(String(text), "base64").toString("base64"));
  return { ...inputs, data };
}

function quantities(value: Value): Value {
  if (Array.isArray(value)) {
    return value.filter((item) => item !== null).map(quantities);
  }
  if (!isProps(value)) {
    return value;
  }
  return mapProps(propsOf(withoutNulls(value)), (field, key) => {
    if (quantityMaps.has(key) && isProps(field)) {
      return mapProps(field, formatQuantity);
    }
    return key === "sizeLimit" ? formatQuantity(field) : quantities(field);
  });
}

function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (!isProps(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, withoutNulls(field)]])),
  );
}
