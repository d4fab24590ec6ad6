import type { ApiServer } from "../../api/client.ts";

/** What is known of a right; `unknown` where the cluster did not tell. */
export type Right = "yes" | "no" | "unknown";

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly evaluationError?: string };
}

/** What is to be written. */
interface Written {
  readonly verb: "patch";
  readonly group?: string;
  readonly resource: string;
  /** Of the one object that it is about. Default: any. */
  readonly name?: string;
}

/**
 * Whether the identity may write what every run writes, so that the API server tries what a preview shows. Mostly everybody
 * may ask that about themselves, and nothing comes of it. Where they may not, or nobody can tell, nothing depends on it.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export const mayWrite = (api: Pick<ApiServer, "write">): Promise<Right> =>
  may(api, { verb: "patch", resource: "namespaces" });

/** Whether the identity may write something. */
export async function may(api: Pick<ApiServer, "write">, resourceAttributes: Written): Promise<Right> {
  try {
    const answer = await api.write({
      what: "ask what this identity may do",
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes },
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
