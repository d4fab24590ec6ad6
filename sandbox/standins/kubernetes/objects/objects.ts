/** Kubernetes objects as plain data: names, annotations, and their form in Pulumi's state. */
import { randomBytes } from "node:crypto";
import { isProps, type Props, plain, propsOf, textAt, type Value } from "../../../../buckets/protocol/values.ts";
import { markSecrets } from "./secrets.ts";

/** Manager of fields created with a POST; the first update moves them to the manager in the state. */
export const createFieldManager = "pulumi-kubernetes";

export function newFieldManager(): string {
  return `pulumi-kubernetes-${randomBytes(4).toString("hex")}`;
}

export function nameOf(object: Props): string {
  return textAt(object, "metadata", "name");
}

export function namespaceOf(object: Props): string {
  return textAt(object, "metadata", "namespace");
}

export function annotation(object: Props, key: string): string {
  return textAt(object, "metadata", "annotations", `pulumi.com/${key}`);
}

export function isAnnotated(object: Props, key: string): boolean {
  return annotation(object, key) === "true";
}

/** The time-out in seconds: a customTimeout of the program wins over the annotation `pulumi.com/timeoutSeconds`. */
export function timeoutSeconds(object: Props, customTimeout: number): number {
  const annotated = Number.parseInt(annotation(object, "timeoutSeconds"), 10);
  return customTimeout || (Number.isNaN(annotated) ? 600 : annotated);
}

export function withMetadata(object: Props, fields: Props): Props {
  return { ...object, metadata: { ...propsOf(object.metadata), ...fields } };
}

export function idOf(object: Props): string {
  return namespaceOf(object) ? `${namespaceOf(object)}/${nameOf(object)}` : nameOf(object);
}

export function parseId(id: string): { namespace: string; name: string } {
  const [first = "", second] = id.split("/");
  return second === undefined ? { namespace: "", name: first } : { namespace: first, name: second };
}

/** API version and kind from a URN with a type such as `kubernetes:apps/v1:Deployment`. */
export function typeOf(urn: string): { apiVersion: string; kind: string } {
  const [, module = "", kind = ""] = (urn.split("::")[2]?.split("$").at(-1) ?? "").split(":");
  return { apiVersion: module.replace(/^core\//, ""), kind };
}

interface Checkpoint {
  inputs: Props;
  live: Props;
  fieldManager: string | undefined;
  initialApiVersion: string;
}

/** The object's form in the state: the live object, and in `__` fields the facts for the next run. */
export function checkpoint(state: Omit<Checkpoint, "fieldManager"> & { fieldManager: string; given: Props }): Props {
  const live = markSecrets(state.live, state.given);
  return {
    ...live,
    __inputs: markSecrets(state.inputs, state.given),
    __initialApiVersion: state.initialApiVersion,
    __fieldManager: state.fieldManager,
  };
}

export function parseCheckpoint(state: Props): Checkpoint {
  const { __inputs, __fieldManager, __initialApiVersion, ...live } = plain(state);
  const inputs = propsOf(__inputs);
  return {
    inputs,
    live,
    fieldManager: typeof __fieldManager === "string" ? __fieldManager : undefined,
    initialApiVersion: typeof __initialApiVersion === "string" ? __initialApiVersion : textAt(inputs, "apiVersion"),
  };
}

/** The fields of the live object that the inputs set, for comparing the two. */
export function prune(source: Props, shape: Props): Props {
  const kept: Props = {};
  for (const [key, value] of Object.entries(source)) {
    const wanted = shape[key];
    if (wanted !== undefined) {
      kept[key] = pruneValue(value, wanted);
    }
  }
  return kept;
}

function pruneValue(value: Value, wanted: Value): Value {
  if (isProps(value) && isProps(wanted)) {
    return prune(value, wanted);
  }
  if (!Array.isArray(value) || !Array.isArray(wanted)) {
    return value;
  }
  if (value.length > 0 && wanted.length > 0 && kindOf(value[0]) !== kindOf(wanted[0])) {
    return value;
  }
  return value.slice(0, wanted.length).map((item, index) => pruneValue(item, wanted[index] ?? null));
}

function kindOf(value: Value | undefined): string {
  return Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
}
