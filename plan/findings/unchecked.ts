import { type Kind, kindEntry } from "../../cluster/kinds/kinds.ts";
import { doorKinds, isKindOfRoute, stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { compare } from "../../config/values/sentences.ts";
import type { Finding } from "../words/finding.ts";
import { type OfflineMatter, routesStand } from "../words/unchecked.ts";

const byHand = "whose they are, and whether somebody changed or deleted any of them";

const ofRoutesAlone = stackKindsWhere(({ isOfRoute, isWrittenByMembers }) => isOfRoute && !isWrittenByMembers);

const ofAll = (kinds: readonly Kind[], text: string) => Object.fromEntries(kinds.map((kind) => [kind, text]));

/** Facts that a preview can't know without reading a kind. Default: `byHand`. */
const without = (routes: string, settings: Settings): Partial<Readonly<Record<Kind, string>>> => ({
  ...ofAll(ofRoutesAlone, `${byHand}, routes among them`),
  ...ofAll(doorKinds, `${byHand}, and which routes are open`),
  ConfigMap: isKindOfRoute("ConfigMap", settings) ? `${byHand}, and whether routes find their CA, ${routes}` : byHand,
  Deployment: `${byHand}, and how many pods of starter apps are ready`,
  EndpointSlice: `whether pods answer behind Services for which that matters, ${routes}`,
  Gateway: "whether the Gateway is there, and serves the routes",
  DeviceClass: "whether there are devices of the DeviceClasses that members may use",
  Node: "whether there are nodes in members' pools, and devices that members may use",
  PersistentVolumeClaim: "what is lost with the namespaces of removed members",
  Pod: "which pods of removed and suspended members are stopped",
  RuntimeClass: "whether the cluster has the RuntimeClasses that members may use",
  StorageClass: "whether the cluster has the StorageClasses that members may use",
  ResourceQuota: `${byHand}, whether new limits are below what is used, and whether there is room for what is made`,
  Service: `whether members' Services are there and fit, and what changes of those that kubecamp made, ${routes}`,
});

export function uncheckedMatters(
  members: readonly Member[],
  settings: Settings,
  { unread, mayWrite, hardware }: Pick<ClusterSnapshot, "unread" | "mayWrite" | "hardware">,
): Finding[] {
  const isStateKnown = unread?.last !== undefined;
  if (unread?.offline) {
    return offlineMatters(members).map((matter) => ({
      code: "offline",
      facts: { matter, clusterId: settings.cluster.id, routeNamespace: settings.route.namespace, isStateKnown },
    }));
  }
  const unsaid = without(routesStand(isStateKnown), settings);
  const unseen = [...(unread?.kinds ?? []), ...(hardware?.refused ?? [])]
    .map(([kind, answer]) => ({ object: kindEntry(kind).plural, facts: { matter: unsaid[kind] ?? byHand, answer } }))
    .sort((a, b) => compare(a.object, b.object));
  const untried = mayWrite === "no" || mayWrite === "unknown" ? [{ object: "admission", facts: { mayWrite } }] : [];
  return [...unseen, ...untried].map((matter) => ({ code: "unchecked", ...matter }));
}

function offlineMatters(members: readonly Member[]): OfflineMatter[] {
  const has = (isOne: (member: Member) => boolean, matter: OfflineMatter) => (members.some(isOne) ? [matter] : []);
  return [
    "cluster",
    "ownership",
    "removals",
    "routes",
    "drift",
    "quotas",
    "admission",
    ...has(({ starter }) => starter !== undefined, "starters"),
    ...has(({ buckets = [] }) => buckets.length > 0, "buckets"),
    ...has(({ adopt }) => adopt, "adopt"),
    ...has(({ type }) => type.storage !== undefined || type.runtimeClasses !== undefined, "classes"),
    ...has(({ type }) => type.devices !== undefined || type.pool !== undefined, "hardware"),
  ];
}
