import { Environment } from "@marcbachmann/cel-js";
import type { policyOf } from "../../plan/objects/admission/policies.ts";

const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });

/** Value of an expression in CEL, as the API server would have it. @throws the error of evaluating it */
export const evaluated = (expression: string, context: Readonly<Record<string, unknown>>): unknown =>
  environment.evaluate(expression, context);

/** An admission request, as far as policies read it. */
interface Request {
  readonly request: object;
  readonly object: object;
}

/** Words of an admission policy's refusals of a request; empty if it lets it pass. */
export function refusalsOf({ spec }: ReturnType<typeof policyOf>, asked: Request): unknown[] {
  const variables: Record<string, unknown> = {};
  for (const { name, expression } of spec.variables ?? []) {
    variables[name] = evaluated(expression, { ...asked, variables });
  }
  return spec.validations
    .filter(({ expression }) => evaluated(expression, { ...asked, variables }) !== true)
    .map(({ messageExpression }) => evaluated(messageExpression, { ...asked, variables }));
}
