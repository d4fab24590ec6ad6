import { compare } from "../../cluster/kinds/compare.ts";
import { type Kind, kinds } from "../../cluster/kinds/kinds.ts";
import { doorKinds, isOfRoute, stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { Finding } from "../messages/catalogue.ts";

const byHand = "whose they are, and whether somebody changed or deleted any of them";

/** What becomes of routes of which nothing is known. */
const routesStand = (isStateKnown: boolean) =>
  isStateKnown
    ? "so that every route stays as Pulumi's state has it, unless the configuration closes it"
    : "so that every route is shown as open, since Pulumi's state could not be had either";

/** Kinds that nothing is made of but routes. */
const ofRoutesAlone = stackKindsWhere(({ isOfRoute, isWrittenByMembers }) => isOfRoute && !isWrittenByMembers);

const ofAll = (kinds: readonly Kind[], text: string) => Object.fromEntries(kinds.map((kind) => [kind, text]));

/** What a preview can't say without a kind; without any other, `byHand`. */
const without = (routes: string, settings: Settings): Partial<Readonly<Record<Kind, string>>> => ({
  ...ofAll(ofRoutesAlone, `${byHand}, routes among them`),
  ...ofAll(doorKinds, `${byHand}, and which routes are open`),
  ConfigMap: isOfRoute("ConfigMap", settings) ? `${byHand}, and whether routes find their CA, ${routes}` : byHand,
  Deployment: `${byHand}, and how many pods of starter apps are ready`,
  EndpointSlice: `whether pods answer behind Services for which that matters, ${routes}`,
  Gateway: "whether the Gateway is there, and serves the routes",
  PersistentVolumeClaim: "what is lost with the namespaces of those who leave",
  Pod: "what runs in the namespaces of those who leave or are suspended, and is stopped",
  ResourceQuota: `${byHand}, whether new limits are below what is used, and whether there is room for what is made`,
  Service: `whether members' Services are there and fit, and what changes of those that kubecamp made, ${routes}`,
});

/** What a preview could not look at. */
export function uncheckedMatters(
  members: readonly Member[],
  settings: Settings,
  { unread, mayWrite }: Pick<ClusterSnapshot, "unread" | "mayWrite">,
): Finding[] {
  const routes = routesStand(unread?.last !== undefined);
  if (unread?.offline) {
    return offlineMatters(members, settings, routes);
  }
  const unsaid = without(routes, settings);
  const unseen = [...(unread?.kinds ?? [])].map(([kind, words]) => ({
    object: kinds[kind].plural,
    text: `${unsaid[kind] ?? byHand} (${words})`,
  }));
  const all = [...unseen.sort((a, b) => compare(a.object, b.object)), ...untried(mayWrite)];
  return all.map((matter) => ({ code: "unchecked", ...matter }));
}

/** To an API server, a dry run takes the right to write. A right for some alone, by their names, counts for none. */
function untried(mayWrite: ClusterSnapshot["mayWrite"]): { readonly object: string; readonly text: string }[] {
  const object = "admission";
  const matter = "whether the API server and the cluster's policies take what is new or changed";
  switch (mayWrite) {
    case "no":
      return [
        {
          object,
          text: `${matter}; it is shown as declared (this identity may not patch every namespace, not even in a dry run)`,
        },
      ];
    case "unknown":
      return [
        {
          object,
          text: `${matter}, if a dry run is refused (the cluster does not tell whether this identity may patch namespaces)`,
        },
      ];
    default:
      return [];
  }
}

function offlineMatters(members: readonly Member[], { cluster, route }: Settings, routes: string): Finding[] {
  const id = cluster.id === undefined ? "" : ` (cluster.id is ${cluster.id})`;
  const lines = {
    cluster: `whether it is there, is the right one${id}, and has the namespace '${route.namespace}' (route.namespace)`,
    ownership: "whether what members' names stand for is there already, and is somebody else's: that stops a run",
    removals:
      "who is on the cluster and not in the list; offboarding.maxRemovals and protect go by that, and were not heeded, nor " +
      "is it known what is lost with a namespace",
    routes: `whose Service is there and fit, and what changes of those that kubecamp made, ${routes}`,
    drift: "whether somebody changed or deleted by hand what kubecamp made",
    quotas: "whether new limits are below what is used, and whose pods are stopped with a suspension",
    admission:
      "whether the API server and the cluster's policies take what is new, unless Pulumi's plugin finds a cluster",
    ...(members.some(({ starter }) => starter !== undefined)
      ? { starters: "whether starter apps are there, and whether something else stands in their place" }
      : {}),
    ...(members.some(({ buckets = [] }) => buckets.length > 0)
      ? { buckets: "whether what they are reached with is there, and whether something else stands in its place" }
      : {}),
    ...(members.some(({ adopt }) => adopt)
      ? { adopt: "what is taken over, what is left, and what stands in the way" }
      : {}),
  };
  return Object.entries(lines).map(([object, text]) => ({ code: "offline", object, text }));
}
