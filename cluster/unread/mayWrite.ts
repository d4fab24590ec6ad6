import type { ApiServer } from "../apiServer/client.ts";

/** What is known of a right; `unknown` where the cluster did not tell. */
export type Right = "yes" | "no" | "unknown";

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly evaluationError?: string };
}

/**
 * Whether the identity may write what every run writes, so that the API server tries what a preview shows. Mostly everybody
 * may ask that about themselves, and nothing comes of it. Where they may not, or nobody can tell, nothing depends on it.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function mayWrite(api: Pick<ApiServer, "write">): Promise<Right> {
  try {
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
    return rightIn(JSON.parse(answer) as Review);
  } catch {
    return "unknown";
  }
}

function rightIn({ status }: Review): Right {
  if (status?.allowed === true) {
    return "yes";
  }
  return status?.allowed === false && !status.evaluationError ? "no" : "unknown";
}
