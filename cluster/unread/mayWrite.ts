import type { ApiServer } from "../apiServer/client.ts";

/**
 * Whether the identity may write what every run writes. Everybody may ask that about themselves, and nothing comes of it.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function mayWrite(api: Pick<ApiServer, "write">): Promise<boolean> {
  const answer = await api.write({
    what: "ask what this identity may do",
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb: "patch", resource: "namespaces" } },
    },
  });
  const { status } = JSON.parse(answer) as { readonly status?: { readonly allowed?: boolean } };
  return status?.allowed === true;
}
