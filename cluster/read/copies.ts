import type { V1ConfigMap, V1Secret } from "@kubernetes/client-node";
import type { Manifest } from "../../config/objects/objects.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { type Kind, oneOf } from "../kinds/kinds.ts";
import { objectKey } from "../kinds/objectName.ts";
import type { Lists } from "./rights.ts";
import type { CopiedContent } from "./snapshot.ts";

type Copy = Manifest & { readonly copyOf: string };

const copiesIn = ({ objects = [] }: Pick<Settings, "objects">): Copy[] => {
  const all = objects.flatMap(({ manifests }) => manifests.filter((each): each is Copy => each.copyOf !== undefined));
  return [...new Map(all.map((copy) => [keyOfCopy(copy), copy])).values()];
};

export const keyOfCopy = ({ kind, name, copyOf }: Manifest) => objectKey(kind, name, copyOf);

/** What members get copies of. @throws RunError if one is gone or can't be read: a run would delete everybody's */
export async function readCopies(
  settings: Pick<Settings, "objects">,
  api: Lists,
  refused: ReadonlyMap<Kind, string> = new Map(),
): Promise<ReadonlyMap<string, CopiedContent> | undefined> {
  const copies = copiesIn(settings);
  const read = await Promise.all(copies.map(async (copy) => [copy, await readCopy(copy, api)] as const));
  const gone = read.filter(([copy, content]) => content === undefined && !refused.has(copy.kind)).map(([copy]) => copy);
  if (gone.length > 0) {
    const names = gone.map(({ kind, name, copyOf }) => `${kind} '${copyOf}/${name}'`).join(", ");
    throw new RunError(
      `There is no ${names} to copy for members (objects). Nothing was changed, and their copies stay.\n` +
        "Create it again, correct copy, or remove the entry from objects, which removes the copies too.",
    );
  }
  return copies.length === 0
    ? undefined
    : new Map(read.flatMap(([copy, content]) => (content === undefined ? [] : [[keyOfCopy(copy), content]])));
}

async function readCopy({ kind, name, copyOf }: Copy, api: Lists): Promise<CopiedContent | undefined> {
  const [found] = await api.list<V1Secret & V1ConfigMap>(oneOf(kind, name, copyOf));
  if (found === undefined) {
    return undefined;
  }
  const { type, data, binaryData, metadata } = found;
  return {
    resourceVersion: metadata?.resourceVersion ?? "",
    ...(type === undefined ? {} : { type }),
    ...(data === undefined ? {} : { data }),
    ...(binaryData === undefined ? {} : { binaryData }),
  };
}
