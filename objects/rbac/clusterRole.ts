import type { OthersView } from "../../config/member/types.ts";
import { clusterRoleName } from "../../config/names/names.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { sharedMetadata } from "../metadata.ts";
import type { RouteDriver } from "../route/driver.ts";
import { driverOf, drivers } from "../route/drivers/drivers.ts";

const verbs = ["get", "list", "watch"];

/** Never pods/log, configmaps or secrets: those are a member's own. */
const rules = {
  view: [
    { apiGroups: [""], resources: ["namespaces", "persistentvolumeclaims", "pods", "services"], verbs },
    { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "replicasets", "statefulsets"], verbs },
    { apiGroups: ["batch"], resources: ["cronjobs", "jobs"], verbs },
    { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs },
  ],
  "view-guest": [
    { apiGroups: [""], resources: ["namespaces", "services"], verbs },
    { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs },
  ],
} satisfies Record<OthersView, object[]>;

/** Explicit, without wildcards or aggregation, so that no other component of the cluster can widen it. */
export function clusterRole(view: OthersView, settings: Settings) {
  return {
    metadata: sharedMetadata(clusterRoleName(view, settings), settings),
    rules: [...rules[view], ...serversOf(settings).map(driverOf).flatMap(othersRoutes)],
  };
}

const othersRoutes = ({ visible }: RouteDriver) =>
  visible === undefined ? [] : [{ apiGroups: visible.apiGroups, resources: visible.others, verbs }];

/** All that these roles can show, whatever the routes. */
export const shownToOthers = [...rules.view, ...drivers.flatMap(othersRoutes)];
