/** Kubernetes objects as plain data: names, annotations, and the state that Pulumi keeps of them. */
import { randomBytes } from "node:crypto";
import { isProps, type Props, plain, propsOf, textAt, type Value } from "../../../../../buckets/protocol/values.ts";
import { markSecrets } from "./secrets.ts";

/** The manager of fields that were created with a POST; the first update takes them over under the state's own name. */
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

/** `pulumi.com/skipAwait`, `timeoutSeconds`: a customTimeout of the program wins over the annotation. */
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

/** `kubernetes:apps/v1:Deployment` out of a URN. */
export function typeOf(urn: string): { apiVersion: string; kind: string } {
  const [, module = "", kind = ""] = (urn.split("::")[2]?.split("$").at(-1) ?? "").split(":");
  return { apiVersion: module.replace(/^core\//, ""), kind };
}

export interface Checkpoint {
  inputs: Props;
  live: Props;
  fieldManager: string | undefined;
  initialApiVersion: string;
}

/** What Pulumi stores: the live object, and in `__` fields what we need to know at the next run. */
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

/** The part of the live object that the inputs speak of, so that the two can be compared. */
export function prune(source: Props, shape: Props): Props {
  const kept: Props = {};
  for (const [key, value] of Object.entries(source)) {
    const wanted = shape[key];
    if (wanted !== undefined) kept[key] = pruneValue(value, wanted);
  }
  return kept;
}

function pruneValue(value: Value, wanted: Value): Value {
  if (isProps(value) && isProps(wanted)) return prune(value, wanted);
  if (!Array.isArray(value) || !Array.isArray(wanted)) return value;
  if (value.length > 0 && wanted.length > 0 && kindOf(value[0]) !== kindOf(wanted[0])) return value;
  return value.slice(0, wanted.length).map((item, index) => pruneValue(item, wanted[index] ?? null));
}

function kindOf(value: Value | undefined): string {
  return Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
}
