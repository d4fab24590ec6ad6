import type { Configuration } from "../settings.ts";
import type { Warning } from "./hosts.ts";
import type { RouteServer } from "./route.ts";

/** Has pods of many owners, such as those of k3s. */
const shared = "kube-system";

/** Warnings about controllers whose namespace has other pods too: without labels, every pod there reaches members' pods. */
export function openControllers({ settings: { route, network } }: Pick<Configuration, "settings">): Warning[] {
  const of = (at: string, server: RouteServer, podLabels: object, labelsKey: string): Warning[] =>
    server.namespace === shared && Object.keys(podLabels).length === 0
      ? [
          {
            path: `${at}.namespace`,
            message: `every pod of ${shared} reaches members' pods; set ${labelsKey} to the labels of the controller's pods (docs/security/network.md)`,
          },
        ]
      : [];
  const { also } = route;
  return [
    ...of("route", route, network.ingressPodLabels, "network.ingressPodLabels"),
    ...(also === undefined ? [] : of("route.also", also, also.ingressPodLabels, "route.also.ingressPodLabels")),
  ];
}
