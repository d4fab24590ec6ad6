import { apiGroup } from "../../config/names/customKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { ForbiddenError } from "../api/errors.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../api/requests.ts";
import { type Kind, kindEntry, resourceOf } from "../kinds/kinds.ts";
import { keyOf, type ObjectName } from "../kinds/objectName.ts";
import type { Right } from "./snapshot.ts";

/** Whether it may write what every run writes: a preview then lets the API server try. Without an answer, `unknown`. */
export const mayWrite = (api: Pick<ApiServer, "write">): Promise<Right> => may(api, { resource: "namespaces" });

async function may(
  api: Pick<ApiServer, "write">,
  attributes: { readonly group?: string; readonly resource: string; readonly name?: string },
): Promise<Right> {
  try {
    const answer = await api.write({
      what: "ask what this identity may do",
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: { verb: "patch", ...attributes } },
      },
    });
    const { allowed, evaluationError }: { allowed?: unknown; evaluationError?: unknown } = Object(
      JSON.parse(answer).status,
    );
    if (allowed === true) {
      return "yes";
    }
    return allowed === false && !evaluationError ? "no" : "unknown";
  } catch {
    return "unknown";
  }
}

/** That right would allow refusing every write on the cluster: the watch runs without it, an admin's up has it. */
export async function policiesOfOthers(
  { cluster }: Pick<Settings, "cluster">,
  objects: readonly ObjectName[],
  waiting: Partial<Waiting> = {},
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) {
    return new Set();
  }
  return await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    const rights = await Promise.all(
      objects.map(async (object) => {
        const { kind, name } = object;
        const group = apiGroup(kindEntry(kind).apiVersion);
        const right = await may(api, { group, resource: resourceOf(kind), name });
        return right === "no" ? [keyOf(object)] : [];
      }),
    );
    return new Set(rights.flat());
  });
}

export type Lists = Pick<ApiServer, "list">;

/** A forbidden list is empty, and noted in `refused`. Any other error is thrown: it says nothing about rights, and may pass. */
export function toleratingRefusals(api: Lists, isTolerated = (_: string) => true) {
  const refused = new Map<Kind, string>();
  const lists: Lists = {
    list: async (request) => {
      try {
        return await api.list(request);
      } catch (error) {
        if (!(error instanceof ForbiddenError && isTolerated(request.kind))) {
          throw error;
        }
        refused.set(request.kind as Kind, error.reason);
        return [];
      }
    },
  };
  return { lists, refused };
}
