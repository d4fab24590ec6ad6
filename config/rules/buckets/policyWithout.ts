import { isMap, jsonIn } from "../../model/maps.ts";

/**
 * A bucket's policy that no longer lets these principals in by name. Statements that deny them something stay, and
 * exceptions for them are removed. They still get in as part of everyone, or of an account.
 * @param policy JSON text; other text is returned unchanged, for the check to report
 * @returns undefined if no statement is left
 */
export function policyWithout(policy: string, principals: ReadonlySet<string>): string | undefined {
  const document = jsonIn(policy);
  if (!isMap(document)) return policy;
  const statements = [document.Statement].flat();
  const left = statements.flatMap((statement) => statementWithout(statement, principals));
  if (left.length === statements.length && left.every((statement, at) => statement === statements[at])) return policy;
  return left.length === 0 ? undefined : JSON.stringify({ ...document, Statement: left });
}

/** Principals that a bucket's policy lets in by name, rather than as everyone. */
export function principalsIn(policy: string): ReadonlySet<string> {
  const document = jsonIn(policy);
  const statements = isMap(document) ? [document.Statement].flat() : [];
  const named = statements.flatMap((each) => (isMap(each) && each.Effect === "Allow" ? textsIn(each.Principal) : []));
  return new Set(named.filter((principal) => principal !== "*"));
}

/** Principals are a text, a list, or a map of either by their kind, such as `AWS`. */
function textsIn(value: unknown): string[] {
  if (isMap(value)) return Object.values(value).flatMap(textsIn);
  return [value].flat().filter((each) => typeof each === "string");
}

/** Returns the same object if nothing changes. */
function statementWithout(statement: unknown, principals: ReadonlySet<string>): unknown[] {
  if (!isMap(statement)) return [statement];
  const { Effect, Principal, NotPrincipal, ...rest } = statement;
  const names = (value: unknown) => textsIn(value).some((each) => principals.has(each));
  if (Effect === "Allow" && names(Principal)) {
    const left = without(Principal, principals);
    return left === undefined ? [] : [{ Effect, Principal: left, ...rest }];
  }
  if (Effect === "Deny" && names(NotPrincipal)) {
    const left = without(NotPrincipal, principals);
    return [{ Effect, ...(left === undefined ? { Principal: "*" } : { NotPrincipal: left }), ...rest }];
  }
  return [statement];
}

/** The principals without these; undefined if none is left. */
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
