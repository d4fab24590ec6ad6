import { createHash } from "node:crypto";
import type { ApiServer } from "../../cluster/api/client.ts";
import type { ServedKind } from "../../cluster/read/servedKinds.ts";
import {
  archivedObjects,
  homeStateOf,
  isTheirs,
  resourceName,
  stateLine,
  type WholeObject,
} from "../../cluster/read/theirObjects.ts";
import { RunError } from "../../config/values/runError.ts";
import { compare } from "../../config/values/sentences.ts";

const mebibyte = 2 ** 20;

/** Reads all objects of an archive, up to `mostMiB`: whoever leaves decides how many and how large they are. */
export async function collect(
  api: ApiServer,
  of: { readonly member: string; readonly given: readonly string[] },
  asked: { readonly secrets: boolean },
  mostMiB: number,
) {
  const sizes = new Map<string, number>();
  // A list whose moment has expired is read again.
  const counted = new Set<string>();
  let total = 0;
  const keep = (kind: ServedKind, object: WholeObject) => {
    const archived = archivedObject(kind, object);
    const resource = resourceName(kind);
    const title = `${resource}/${object.metadata?.name}`;
    const size = counted.has(title) ? 0 : (archived?.json.length ?? 0);
    counted.add(title);
    sizes.set(resource, (sizes.get(resource) ?? 0) + size);
    total += size;
    if (total > mostMiB * mebibyte) {
      throw new RunError(tooLarge(of.member, mostMiB, sizes));
    }
    const line = stateLine(kind, object);
    return archived === undefined && line === undefined ? undefined : { archived, line };
  };
  const found = await archivedObjects(api, of.member, { ...asked, given: of.given }, keep);
  return {
    kinds: found.map(({ kind, kept }) => ({ kind, objects: kept.flatMap(({ archived }) => archived ?? []) })),
    state: homeStateOf(found.flatMap(({ kept }) => kept.flatMap(({ line }) => line ?? []))),
  };
}

function tooLarge(member: string, mostMiB: number, sizes: ReadonlyMap<string, number>): string {
  const [[largest, size] = ["", 0]] = [...sizes].toSorted(([, a], [, b]) => b - a);
  return (
    `The objects of '${member}' have more than ${mostMiB} MiB, of which ${largest} alone ${Math.floor(size / mebibyte)} MiB or more.\n` +
    "Delete those that nobody needs, then run this again."
  );
}

/** All of a member's objects of a kind: a List in JSON, as kubectl takes it, such as `objects/deployments.apps.json`. */
export type ArchiveFile = NonNullable<ReturnType<typeof archiveFile>>;

/** An object of a file. As bytes: objects take thirty times as much memory, and a text with one Chinese letter twice. */
type ArchivedObject = NonNullable<ReturnType<typeof archivedObject>>;

export function archivedObject(kind: ServedKind, object: WholeObject) {
  if (!isTheirs({ ...object, kind: kind.kind })) {
    return undefined;
  }
  // Items of a list have no kind of their own. Field managers are of no use without the API server that they talked to.
  const { apiVersion: _, kind: __, metadata: { managedFields: ___, ...metadata } = {}, ...rest } = object;
  const whole = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...rest };
  return { name: metadata.name ?? "", json: Buffer.from(JSON.stringify(whole)) };
}

export function archiveFile(kind: ServedKind, objects: readonly ArchivedObject[]) {
  if (objects.length === 0) {
    return undefined;
  }
  const items = objects
    .toSorted((a, b) => compare(a.name, b.name))
    .flatMap(({ json }, at) => [Buffer.from(at === 0 ? "" : ",\n"), json]);
  const content = Buffer.concat([
    Buffer.from('{"apiVersion":"v1","kind":"List","items":[\n'),
    ...items,
    Buffer.from("\n]}\n"),
  ]);
  return { name: `objects/${resourceName(kind)}.json`, objects: objects.length, content };
}

export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
