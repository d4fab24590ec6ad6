import { Environment } from "@marcbachmann/cel-js";
import type { policyOf } from "../../objects/admission/policies.ts";

const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });
// Of Kubernetes' own, not of CEL's: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-list-library
environment.registerFunction("list.sum(): int", (list: unknown) =>
  (list as readonly bigint[]).reduce((sum, each) => sum + each, 0n),
);
environment.registerFunction("list.max(): int", (list: unknown) =>
  BigInt(Math.max(...(list as readonly bigint[]).map(Number))),
);
environment.registerFunction("string.format(list): string", (text: unknown, values: unknown) =>
  (values as readonly unknown[]).reduce<string>((rest, value) => rest.replace("%s", () => shown(value)), String(text)),
);

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Value of an expression in CEL, as the API server would have it. @throws the error of evaluating it */
export const evaluated = (expression: string, context: Readonly<Record<string, unknown>>): unknown =>
  environment.evaluate(expression, context);

/** An admission request, as far as policies read it. */
interface Request {
  readonly request: object;
  readonly object: object;
  /** Default: what is asked for is new. */
  readonly oldObject?: object | null;
  readonly namespaceObject?: object;
  /** Whether the platform asks, which only the API server could tell. Default: no. */
  readonly isPlatform?: boolean;
}

type Policy = ReturnType<typeof policyOf>;

/** What a policy's expressions know of a request. */
function contextOf({ spec }: Policy, { isPlatform = false, ...asked }: Request) {
  const variables: Record<string, unknown> = {};
  const context = { oldObject: null, ...asked, variables };
  for (const { name, expression } of spec.variables ?? []) {
    // As on the API server, only where something uses it.
    Object.defineProperty(variables, name, {
      enumerable: true,
      get: () => (name === "isPlatform" ? isPlatform : evaluated(expression, context)),
    });
  }
  return context;
}

/** Value of one of a policy's variables for a request. */
export const variableOf = (policy: Policy, name: string, request: Request): unknown =>
  contextOf(policy, request).variables[name];

/** Words of an admission policy's refusals of a request; empty if it lets it pass. */
export function refusalsOf(policy: Policy, request: Request): unknown[] {
  const context = contextOf(policy, request);
  return policy.spec.validations
    .filter(({ expression }) => evaluated(expression, context) !== true)
    .map(({ messageExpression }) => evaluated(messageExpression, context));
}
