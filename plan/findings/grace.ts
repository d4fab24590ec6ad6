import { compare } from "../../cluster/kinds/compare.ts";
import type { Member } from "../../config/model/settings.ts";
import type { Finding } from "../messages/finding.ts";

/** Members who have left the list and are suspended until their removal, the next one first. */
export const inGrace = (members: readonly Member[]): Finding<"inGrace">[] =>
  members
    .flatMap(({ name, leaves }) => (leaves === undefined ? [] : [{ name, leaves }]))
    .sort((a, b) => compare(a.leaves, b.leaves) || compare(a.name, b.name))
    .map(({ name, leaves }) => ({ code: "inGrace", member: name, facts: { leaves } }));
