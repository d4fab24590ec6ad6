import type { Member } from "../../config/model/settings.ts";
import type { Finding } from "../messages/finding.ts";

/**
 * Who runs pods and has no list of images. That `*` stands in a list says
 * that somebody means it.
 */
export function runningAnyImage(members: readonly Member[]): Finding[] {
  const names = members.flatMap(({ name, type, images }) =>
    type.home === "edit" && images === undefined ? [name] : [],
  );
  return names.length === 0 ? [] : [{ code: "anyImage", facts: { members: names } }];
}
