import { firstOf } from "../../cluster/kinds/nameList.ts";
import type { Member } from "../../config/model/settings.ts";

/** How many are named. */
const mostNamed = 3;

/**
 * One warning for all who run pods and have no list of images; none where everybody has one. That `*` stands in a list says
 * that somebody means it.
 */
export function anyImageWarning(members: readonly Member[]): string | undefined {
  const names = members.flatMap(({ name, type, images }) =>
    type.home === "edit" && images === undefined ? [name] : [],
  );
  return names.length === 0
    ? undefined
    : `images: ${firstOf(names, mostNamed)} may run any image of any registry, also others' private ones that nodes have the ` +
        `credentials of; list what may run (docs/images.md), or say that any may with images: ["*"]`;
}
