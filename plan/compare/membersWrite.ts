import type { ObjectName } from "../../cluster/read/snapshot.ts";

/** Kinds of which members make what they like at home, and runs make something, too. */
export const writtenByMembers: readonly ObjectName["kind"][] = ["ConfigMap", "Deployment", "Secret", "Service"];

/** Whether members write a kind at home: what its labels and annotations say there, is their word and nobody else's. */
export const isWrittenByMembers = ({ kind }: Pick<ObjectName, "kind">): boolean => writtenByMembers.includes(kind);

/** What an object has beside its data, in bytes, so that what a run adds to it always fits: annotations may be 256 KiB. */
const mostBeside = 192 * 1024;

/**
 * Whether there is so much in an object that the API server might take nothing more: annotations that fill what they may
 * have, or whatever fills what etcd takes.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
 */
export function isLarge(object: object): boolean {
  const { data: _, binaryData: __, status: ___, ...rest } = object as Readonly<Record<string, unknown>>;
  return Buffer.byteLength(JSON.stringify(rest)) > mostBeside;
}
