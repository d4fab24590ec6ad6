import { defaultOffboarding } from "../../config/offboarding.ts";
import { nameLines } from "../../config/values/sentences.ts";
import type { RefusalFacts } from "./refusalFacts.ts";
import { each, type Wording } from "./wording.ts";

/** Refuses to remove or suspend more members who left the list than a run may, and says how to allow it for one run. */
export const tooManyRemovals: Wording<"tooManyRemovals"> = each(({ facts }) => {
  const { members, limit, isListEmpty, suspends } = facts;
  const many = members.length === 1 ? "1 member" : `${members.length} members`;
  const [remove, their] = verbs[suspends === 0 ? "removes" : suspends === members.length ? "suspends" : "both"];
  const are = members.length === 1 ? "is" : "are";
  const [what, wayOut] = isListEmpty
    ? [
        `the list of members is empty, as if it had been truncated, and ${many} ${are} still here`,
        "Put the list back. If nobody should stay, 'pulumi destroy' removes the whole stack. To keep the stack and",
      ]
    : [`${many} ${are} no longer in the list`, "Put members who should stay back into the list. To"];
  return `${what}; a run may ${remove} ${limit === 0 ? "none" : limit} (offboarding.maxRemovals):
${nameLines(members, "      ")}
    ${wayOut} ${remove} ${many}${their}, allow it for one run:
${allowance(facts)}`;
});

/** With `graceDays`, a run suspends members first. */
const verbs = {
  removes: ["remove", " with everything that is theirs"],
  suspends: ["suspend", ", and remove them after offboarding.graceDays"],
  both: ["remove or suspend", ""],
} as const;

/** Steps that allow this number of removals for one run. */
function allowance({ members, stack, family, maxRemovals }: RefusalFacts["tooManyRemovals"]): string {
  if (family !== undefined) {
    // A shard takes its settings from a file that `pulumi config` takes for another stack's.
    return `      set kubecamp:offboarding.maxRemovals to ${members.length} in Pulumi.${family}.yaml,
      kubecamp up --stack ${family}
      and set it to ${maxRemovals ?? defaultOffboarding.maxRemovals} again`;
  }
  const key = `--stack ${stack} --path kubecamp:offboarding.maxRemovals`;
  const before = maxRemovals === undefined ? `rm ${key}` : `set ${key} ${maxRemovals}`;
  return `      pulumi config set ${key} ${members.length}
      pulumi up --stack ${stack}
      pulumi config ${before}`;
}
