import type { Validation } from "./admissionPolicy.ts";

/**
 * Most items that a policy goes through one by one. The API server keeps account of what a loop costs in a time that grows
 * by the square of its length: 10,000 items take it seconds of CPU, which everybody waits for, and its limit of costs comes
 * too late. `amounts` allows fewer of most items, but doesn't save that time: all policies judge a request.
 * @see https://kubernetes.io/docs/reference/using-api/cel/#cost-budget
 */
export const mostJudged = 1000;

/** CEL variables of a policy that goes through the lists and maps in its variable `judged`, if they are few. */
export const fewItems = {
  count: "variables.judged.map(list, list.size()).sum()",
  isFew: `variables.count <= ${mostJudged}`,
};

/** The same with what these items themselves have. @param within CEL: its number, for a few items */
export const fewItemsWith = (within: string) => ({
  listed: fewItems.count,
  count: `
    variables.listed > ${mostJudged} ? variables.listed
    : variables.listed + ${within}`,
  isFew: fewItems.isFew,
});

/**
 * Refuses more items than a policy goes through, unless all stay as they are: objects that are there already keep them, so
 * that they can be scaled and their finalizers taken off. A condition of the whole policy would not do: where that is false,
 * it judges nothing.
 * @param what the items, in the plural
 * @param unless CEL: whose objects may have more, which then are not judged. Default: nobody's
 */
export const fewEnough = (what: string, unless?: string): Validation => ({
  expression: `variables.isFew || variables.judged == variables.judgedBefore${unless === undefined ? "" : ` || ${unless}`}`,
  messageExpression: `variables.title + "has " + string(variables.count) + " ${what}, which the API server would be long busy with: leave it at ${mostJudged}, or ask " + variables.contact`,
});
