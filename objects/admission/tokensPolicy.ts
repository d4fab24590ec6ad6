import { ciAccountName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { celText, type JudgedRequests, type PolicyContent, type Validation } from "./admissionPolicy.ts";
import { mostJudged } from "./fewEnough.ts";

/** Longest life of a token. From 3607 seconds on, the API server may make it a year. */
const longestTokenSeconds = 3600;

/**
 * Limits the tokens of the ServiceAccount for CI jobs, whoever requests them: an hour at most, and for the API server
 * alone. It also keeps pods from the ServiceAccount: the kubelet would renew their tokens for as long as they run.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/
 */
export function tokensPolicy(settings: Settings): PolicyContent {
  const allowed = `[${(settings.ci?.apiAudiences ?? []).map(celText).join(", ")}]`;
  return { requests, variables: { allowed, ...variables }, validations };
}

const requests: readonly JudgedRequests[] = [
  { apiGroups: [""], resources: ["serviceaccounts/token"], operations: ["CREATE"] },
  { apiGroups: [""], resources: ["pods"], operations: ["CREATE"] },
];

const variables = {
  isToken: `request.resource.resource == 'serviceaccounts' && request.name == '${ciAccountName}'`,
  audiences: "variables.isToken ? dyn(object).spec.?audiences.orValue([]) : []",
  isFew: `variables.audiences.size() <= ${mostJudged}`,
  seconds: "variables.isToken ? int(dyn(object).spec.?expirationSeconds.orValue(0)) : 0",
  isOfPod: `
    request.resource.resource == 'pods'
    && string(dyn(object).spec.?serviceAccountName.orValue('')) == '${ciAccountName}'`,
};

const validations: readonly Validation[] = [
  {
    expression: `variables.seconds <= ${longestTokenSeconds}`,
    messageExpression: `
      "a token of '${ciAccountName}' is good for an hour at most, and not for " + string(variables.seconds)
      + " seconds: leave --duration out"`,
  },
  {
    expression: "variables.isFew && variables.audiences.all(audience, audience in variables.allowed)",
    messageExpression: `
      "a token of '${ciAccountName}' is for the API server alone, and not for "
      + (variables.isFew ? variables.audiences.map(audience, string(audience)).join(", ")
        : string(variables.audiences.size()) + " audiences")
      + ": leave --audience out, or ask " + variables.contact + " to add the API server's own to ci.apiAudiences"`,
  },
  {
    expression: "!variables.isOfPod",
    messageExpression: `
      "Pod '" + object.metadata.?name.orValue(object.metadata.?generateName.orValue(''))
      + "' has the ServiceAccount '${ciAccountName}', which is for CI jobs: leave serviceAccountName out, or ask " + variables.contact`,
  },
];
