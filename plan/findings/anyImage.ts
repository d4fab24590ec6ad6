import type { Member } from "../../config/model/members/member.ts";
import type { Finding } from "../messages/finding.ts";

/** Members who run pods without a list of images. A list with `*` is a decision, so it is not reported. */
export function runningAnyImage(members: readonly Member[]): Finding[] {
  const names = members.flatMap(({ name, type, images }) =>
    type.home === "edit" && images === undefined ? [name] : [],
  );
  return names.length === 0 ? [] : [{ code: "anyImage", facts: { members: names } }];
}
