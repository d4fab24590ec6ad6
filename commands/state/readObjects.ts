import { type ApiServer, type Waiting, withApiServer } from "../../cluster/api/client.ts";
import { findTarget } from "../../cluster/api/kubeconfig.ts";
import { allNamed, allOf, kinds, resourceOf } from "../../cluster/kinds/kinds.ts";
import type { LiveObject, StateKind } from "../../cluster/kinds/liveObject.ts";
import type { Settings } from "../../config/model/settings.ts";
import {
  backendCaName,
  backendCaSecretName,
  serviceAccountName,
  starterName,
  starterPagesName,
} from "../../naming/names.ts";

/** Kinds that not every cluster knows; one without them has nothing of them. */
const optional = ["BackendTLSPolicy", "HTTPRoute", "Middleware", "ServersTransport"] as const;

/**
 * Reads whatever may be a stack's: all objects of the kinds that runs make, wherever they are and whatever labels they
 * have, since labels get lost. Of kinds that a cluster is full of, those of the names that runs give.
 * @throws RunError when any of them is not answered
 */
export async function readObjects(settings: Settings, waiting: Partial<Waiting>): Promise<LiveObject[]> {
  return await withApiServer(findTarget(settings.cluster.context), waiting, async (api) => {
    const wanted = [
      ...always,
      allNamed("ConfigMap", backendCaName),
      allNamed("ConfigMap", starterPagesName),
      allNamed("Deployment", starterName),
      allNamed("Secret", backendCaSecretName(settings)),
      allNamed("ServiceAccount", serviceAccountName),
      ...(await known(api)).map((kind) => allOf(kind)),
    ];
    const lists = await Promise.all(wanted.map((request) => objectsOf(request, api)));
    return lists.flat();
  });
}

const always = (
  [
    "ClusterRole",
    "ClusterRoleBinding",
    "Ingress",
    "LimitRange",
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "Role",
    "RoleBinding",
    "Service",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
  ] as const
).map((kind) => allOf(kind));

async function known(api: ApiServer): Promise<(typeof optional)[number][]> {
  const answers = await Promise.all(optional.map((kind) => api.has(resourceOf(kind), kinds[kind].apiVersion)));
  return optional.filter((_, index) => answers[index]);
}

/** The items of a list of Kubernetes' own kinds don't say what they are. */
async function objectsOf(
  request: { readonly what: string; readonly path: string; readonly kind: StateKind },
  api: ApiServer,
): Promise<LiveObject[]> {
  const items = await api.list<LiveObject>(request);
  return items.map((item) => ({ ...item, apiVersion: kinds[request.kind].apiVersion, kind: request.kind }));
}
