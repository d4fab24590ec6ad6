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
