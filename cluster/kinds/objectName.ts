import { titledKind } from "../../config/names/customKinds.ts";
import type { StackKind } from "./stackKinds.ts";

export interface ObjectName<K = StackKind> {
  readonly kind: K;
  readonly name: string;
  /** Undefined for a cluster-scoped object. */
  readonly namespace: string | undefined;
}

/** Key of an object in a snapshot; messages use it as the object's title. */
export const objectKey = (kind: ObjectName["kind"], name: string, namespace?: string) =>
  `${titledKind(kind)} ${namespace === undefined ? name : `${namespace}/${name}`}`;

export const keyOf = ({ kind, name, namespace }: ObjectName) => objectKey(kind, name, namespace);

/** Inverse of `objectKey`. Kinds and namespaces contain no space or '/', and names no '/'. */
export function objectNameOf(key: string): ObjectName {
  const [, kind = "", namespace, name = ""] = /^(\S+) (?:([^/]+)\/)?(.*)$/s.exec(key) ?? [];
  return { kind: kind as ObjectName["kind"], name, namespace };
}

export const serviceKey = (namespace: string, name: string) => `${namespace}/${name}`;

export function kubectlDelete(objects: readonly ObjectName[]): string {
  const namespace = objects[0]?.namespace;
  return [
    "kubectl delete",
    ...(namespace === undefined ? [] : ["-n", namespace]),
    ...objects.map(({ kind, name }) => quoted(`${kind.toLowerCase()}/${name}`)),
  ].join(" ");
}

/** RBAC allows nearly every character in names, even those that a shell interprets. */
function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
