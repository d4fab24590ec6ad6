import { stackLabel } from "../../config/names/labels.ts";
import { firstFew } from "../../config/values/sentences.ts";
import { each, eachMember, type WordsOf } from "./wording.ts";

export interface StackRefusals {
  readonly knownElsewhere: {
    readonly moved: readonly { readonly member: string; readonly to: string }[];
    readonly stack: string;
    readonly family: string | undefined;
    readonly isStateKnown: boolean;
  };
  readonly targetedElsewhere: { readonly stack: string };
}

export interface StackWarnings {
  readonly transfers: { readonly from: string; readonly to: string; readonly family: string };
  readonly notTransferred: { readonly to: string; readonly why: string };
  readonly unsplit: {
    readonly members: number;
    readonly shards: number;
    /** GiB of memory that a full run takes now, and a run of one shard would. */
    readonly memory: { readonly whole: number; readonly shard: number };
  };
}

export const stackWords: WordsOf<StackRefusals & StackWarnings> = {
  knownElsewhere: each(({ facts: { moved, stack, family, isStateKnown } }) => {
    const names = firstFew(
      moved.map(({ member, to }) => `${member} (${to})`),
      5,
    );
    const has = isStateKnown ? "has" : `could not be read ('pulumi stack export --stack ${stack}'), and may have`;
    return (
      `Pulumi's state of this stack ${has} members that belong to another stack now, and a run would delete their namespaces: ${names}; ` +
      `the state is an old one, or their label ${stackLabel} was changed by hand. 'kubecamp up --stack ${family}' repairs that first`
    );
  }),
  targetedElsewhere: eachMember(
    ({ facts: { stack } }) => `belongs to stack '${stack}', and only its runs can target that member`,
    " ",
  ),
  transfers: (all) =>
    [...Map.groupBy(all, ({ facts: { family } }) => family)].map(([family, moved]) => {
      const who = moved.length === 1 ? "1 member is" : `${moved.length} members are`;
      const names = moved.map(({ member, facts: { from, to } }) => `${member} (${from} to ${to})`);
      return (
        `${who} still in the stack from before kubecamp:shards was changed, until ` +
        `'kubecamp up --stack ${family}' transfers them: ${firstFew(names, 5)}`
      );
    }),
  notTransferred: (all) =>
    [...Map.groupBy(all, ({ facts: { to, why } }) => `${to}: ${why}`)].map(([toWhy, some]) => {
      const names = firstFew(
        some.flatMap(({ member = [] }) => member),
        5,
      );
      return `${names} ${some.length === 1 ? "stays here, and was" : "stay here, and were"} not transferred to ${toWhy}`;
    }),
  unsplit: each(
    ({ facts: { members, shards, memory } }) =>
      `${members} members are in one stack, and a full run takes about ${memory.whole.toFixed(1)} GiB of memory; split over ` +
      `${shards} shards, one takes ${memory.shard.toFixed(1)} GiB: set kubecamp:shards to ${shards}, ` +
      "then 'kubecamp shards files' (docs/run/shards.md).",
  ),
};
