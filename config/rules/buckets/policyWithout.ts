import { jsonIn } from "../../model/json.ts";
import { isMap } from "../../model/maps.ts";

/**
 * A bucket's policy that lets none of these principals in any more: what denies them something stays, and what denies it to all
 * others but them is for them, too. Whoever is let in as one of all, or of an account, is not among them.
 * @param policy JSON text; what is none is left for the check to tell
 * @returns undefined where it says nothing any more
 */
export function policyWithout(policy: string, principals: ReadonlySet<string>): string | undefined {
  const document = jsonIn(policy);
  if (!isMap(document)) return policy;
  const statements = [document.Statement].flat();
  const left = statements.flatMap((statement) => statementWithout(statement, principals));
  if (left.length === statements.length && left.every((statement, at) => statement === statements[at])) return policy;
  return left.length === 0 ? undefined : JSON.stringify({ ...document, Statement: left });
}

/** Whom a bucket's policy lets in by name, and not as one of all. */
export function principalsIn(policy: string): ReadonlySet<string> {
  const document = jsonIn(policy);
  const statements = isMap(document) ? [document.Statement].flat() : [];
  const named = statements.flatMap((each) => (isMap(each) && each.Effect === "Allow" ? textsIn(each.Principal) : []));
  return new Set(named.filter((principal) => principal !== "*"));
}

function textsIn(value: unknown): string[] {
  if (isMap(value)) return Object.values(value).flatMap(textsIn);
  return [value].flat().filter((each) => typeof each === "string");
}

/** The statement itself where nothing of it changes. */
function statementWithout(statement: unknown, principals: ReadonlySet<string>): unknown[] {
  if (!isMap(statement)) return [statement];
  const { Effect, Principal, NotPrincipal, ...rest } = statement;
  if (Effect === "Allow" && names(Principal, principals)) {
    const left = without(Principal, principals);
    return left === undefined ? [] : [{ Effect, Principal: left, ...rest }];
  }
  if (Effect === "Deny" && names(NotPrincipal, principals)) {
    const left = without(NotPrincipal, principals);
    return [{ Effect, ...(left === undefined ? { Principal: "*" } : { NotPrincipal: left }), ...rest }];
  }
  return [statement];
}

/** Principals are a text, a list, or a map of either by their kind, such as `AWS`. */
function names(value: unknown, principals: ReadonlySet<string>): boolean {
  if (isMap(value)) return Object.values(value).some((each) => names(each, principals));
  return [value].flat().some((each) => typeof each === "string" && principals.has(each));
}

/** Undefined where none is left. */
function without(value: unknown, principals: ReadonlySet<string>): unknown {
  if (isMap(value)) {
    const left = Object.entries(value).flatMap(([kind, each]) => {
      const others = without(each, principals);
      return others === undefined ? [] : [[kind, others] as const];
    });
    return left.length === 0 ? undefined : Object.fromEntries(left);
  }
  const left = [value].flat().filter((each) => typeof each !== "string" || !principals.has(each));
  return left.length === 0 ? undefined : Array.isArray(value) ? left : value;
}
