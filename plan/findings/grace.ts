import { compare } from "../../cluster/kinds/compare.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import type { Finding } from "../messages/finding.ts";

/** Members who have left the list and are suspended until their removal, the next one first. */
export const inGrace = (members: readonly Member[]): Finding<"inGrace">[] =>
  members
    .flatMap(({ name, leaves, isUnarchived }) => (leaves === undefined || isUnarchived ? [] : [{ name, leaves }]))
    .sort((a, b) => compare(a.leaves, b.leaves) || compare(a.name, b.name))
    .map(({ name, leaves }) => ({ code: "inGrace", member: name, facts: { leaves } }));

/** Members whose day has come, and who are kept because there is no archive of theirs yet. */
export const unarchived = (members: readonly Member[], { stack, shards }: Settings): Finding<"unarchived">[] =>
  members
    .filter(({ isUnarchived }) => isUnarchived === true)
    .map(({ name }) => ({ code: "unarchived", member: name, facts: { stack: shards?.family ?? stack } }));
