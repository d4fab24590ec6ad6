import type { ObjectName } from "./snapshot/snapshot.ts";

/** A shell command that deletes objects of one namespace, or cluster-scoped ones. */
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
