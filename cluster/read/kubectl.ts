import type { ObjectName } from "./snapshot.ts";

/** The command that deletes some objects of one namespace, or some cluster-scoped ones, to be pasted into a shell. */
export function kubectlDelete(objects: readonly ObjectName[]): string {
  const namespace = objects[0]?.namespace;
  return [
    "kubectl delete",
    ...(namespace === undefined ? [] : ["-n", namespace]),
    ...objects.map(({ kind, name }) => quoted(`${kind.toLowerCase()}/${name}`)),
  ].join(" ");
}

/** RBAC lets names have nearly every character, those among them that a shell would act on. */
function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
