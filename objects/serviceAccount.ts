import type { Member } from "../config/member/member.ts";
import { serviceAccountName } from "../config/names/names.ts";
import type { Settings } from "../config/settings.ts";
import { metadataOf } from "./metadata.ts";

/**
 * The ServiceAccount of pods that name none, which Kubernetes makes in every namespace: without a token, so that an attacker
 * finds no key to the API server in a member's website. No binding names it in any case.
 * Pods also get the Secrets for images that their member is given.
 * @see https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting
 */
export function serviceAccount(member: Member, settings: Settings) {
  const pullSecrets = (member.objects ?? []).filter(({ isPullSecret }) => isPullSecret).map(({ name }) => ({ name }));
  return {
    metadata: metadataOf(serviceAccountName, member, settings),
    automountServiceAccountToken: false,
    ...(pullSecrets.length === 0 ? {} : { imagePullSecrets: pullSecrets }),
  };
}
