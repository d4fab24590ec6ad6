import { firstOf } from "../../cluster/kinds/nameList.ts";
import type { Member } from "../../config/model/settings.ts";
import { type Finding, whole } from "../messages/catalogue.ts";

/** How many are named. */
const mostNamed = 3;

/**
 * Who runs pods and has no list of images. That `*` stands in a list says
 * that somebody means it.
 */
export function runningAnyImage(members: readonly Member[]): Finding[] {
  const names = members.flatMap(({ name, type, images }) =>
    type.home === "edit" && images === undefined ? [name] : [],
  );
  return names.length === 0
    ? []
    : whole(
        "anyImage",
        `images: ${firstOf(names, mostNamed)} may run any image of any registry, also others' private ones that nodes have the ` +
          `credentials of; list what may run (docs/images.md), or say that any may with images: ["*"]`,
      );
}
