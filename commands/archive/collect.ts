import type { ApiServer } from "../../cluster/api/client.ts";
import type { ServedKind } from "../../cluster/read/servedKinds.ts";
import {
  archivedObjects,
  homeStateOf,
  resourceName,
  stateLine,
  type WholeObject,
} from "../../cluster/read/theirObjects.ts";
import { RunError } from "../../config/values/runError.ts";
import { type ArchivedObject, archivedObject } from "./contents.ts";

/** What an archive is made of. */
export interface Collected {
  readonly kinds: readonly { readonly kind: ServedKind; readonly objects: readonly ArchivedObject[] }[];
  /** State of the namespace (`homeStateOf`). */
  readonly state: string;
}

/** Bytes of a MiB. */
const mebibyte = 2 ** 20;

/**
 * Reads all objects that a member's archive has. Whoever leaves decides how many and how large they are, while a watch that
 * archives them works for all: more than `mostMiB` are refused.
 * @throws RunError naming the kind of which there is most
 */
export async function collect(
  api: ApiServer,
  of: { readonly member: string; readonly given: readonly string[] },
  asked: { readonly secrets: boolean },
  mostMiB: number,
): Promise<Collected> {
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
