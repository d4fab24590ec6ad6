import type { ApiServer } from "../../api/client.ts";

/** An answer about a right; `unknown` if the cluster gave none. */
export type Right = "yes" | "no" | "unknown";

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly evaluationError?: string };
}

/** The write that is asked about. */
interface Written {
  readonly verb: "patch";
  readonly group?: string;
  readonly resource: string;
  /** Name of a single object. Default: any. */
  readonly name?: string;
}

/**
 * Whether the identity may write what every run writes; if so, a preview lets the API server try its changes. Most
 * identities may ask this, and asking changes nothing. Without an answer, the result is `unknown`, which changes
 * nothing either.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export const mayWrite = (api: Pick<ApiServer, "write">): Promise<Right> =>
  may(api, { verb: "patch", resource: "namespaces" });

/** Whether the identity may do this write. */
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
