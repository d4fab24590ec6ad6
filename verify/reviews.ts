import { type Player, wordsOf } from "./stage/stage.ts";

/**
 * Asks the API server what somebody may do, as themselves.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function review<Status>(
  ask: Player["ask"],
  kind: "SelfSubjectAccessReview" | "SelfSubjectRulesReview",
  spec: object,
): Promise<Status> {
  const body = { apiVersion: "authorization.k8s.io/v1", kind, spec };
  const answer = await ask("POST", `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, body);
  if (answer.status >= 300) {
    throw new Error(wordsOf(answer));
  }
  return (answer.body as { readonly status: Status }).status;
}
