import { apiGroup } from "../../model/apiGroup.ts";
import { plainMistake, type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import type { RulesContext } from "../rules.ts";
import { customProblem } from "./kindProblem.ts";

/** Mistakes in `objectKinds`: kinds that no member may be given, and kinds that are there twice. */
export function objectKindFindings({ entry: { objectKinds = [] }, isSecret }: RulesContext): RawMistake[] {
  if (objectKinds.length > 0 && isSecret?.(["objectKinds"]) === true) {
    // Commands read the configuration without its secrets, and would plan other objects than a run.
    return [plainMistake(["objectKinds"], "can't be encrypted; set it without --secret")];
  }
  const first = new Map<string, number>();
  return objectKinds.flatMap((each, index): RawMistake[] => {
    const { apiVersion, kind } = each ?? {};
    if (apiVersion === undefined || kind === undefined) {
      return [];
    }
    const path = ["objectKinds", index, "kind"];
    const key = `${apiGroup(apiVersion)}/${kind}`;
    const before = first.get(key);
    first.set(key, before ?? index);
    if (before !== undefined) {
      return [valueMistake(path, kind, `is objectKinds[${before}] already; keep one of the two`)];
    }
    const problem = customProblem(apiVersion, kind);
    return problem === undefined ? [] : [valueMistake(path, kind, `of ${apiVersion} ${problem}; remove it`)];
  });
}
