import { apiGroup } from "../../model/apiGroup.ts";
import { type RawMistake, valueMistake } from "../../sources/mistakes.ts";
import { encrypted, type RulesContext } from "../rules.ts";
import { customProblem } from "./kindProblem.ts";

/** Mistakes in `objectKinds`: kinds that no member may be given, and kinds that are there twice. */
export function objectKindFindings(context: RulesContext): RawMistake[] {
  const { objectKinds = [] } = context.entry;
  const hidden = objectKinds.length === 0 ? [] : encrypted([["objectKinds"]], context);
  if (hidden.length > 0) {
    return hidden;
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
