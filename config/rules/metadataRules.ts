import { type RawMistake, valueMistake } from "../sources/mistakes.ts";
import { canonicalBlock, isIn, metadataAddresses } from "./addresses.ts";
import type { Candidate, RulesContext } from "./rules.ts";

/** A cloud may give a node's credentials to pods there: whoever may edit a members file alone must not open it. */
export const metadataFindings = (candidates: readonly Candidate[], { isListElsewhere }: RulesContext): RawMistake[] =>
  candidates.flatMap(({ index, entry }) =>
    [...(entry.network?.egress ?? []).entries()].flatMap(([at, exception]): RawMistake[] => {
      const block = canonicalBlock(exception?.cidr ?? "");
      if (!isListElsewhere || block === undefined || !metadataAddresses.some((address) => isIn(block, address))) {
        return [];
      }
      const message =
        "is where clouds hand out credentials of nodes, and whoever edits the members file can't decide that: " +
        "leave it out, or allow it in kubecamp:network or the member's type";
      return [valueMistake(["members", index, "network", "egress", at, "cidr"], block, message)];
    }),
  );
