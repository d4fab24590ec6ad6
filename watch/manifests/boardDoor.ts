import type { BoardSettings } from "../../config/board.ts";
import { clusterDomainOf } from "../../config/names/names.ts";
import { traefikAnnotations } from "../../config/route/controllers/traefik.ts";
import { controllers } from "../../config/route/controllers.ts";
import { isBeside, serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { when } from "../../config/values/maps.ts";
import { podsOf } from "../../objects/networkPolicy.ts";
import { waysOf } from "../../objects/route/drivers/drivers.ts";
import { askingLogin, reference } from "../../objects/route/drivers/traefik.ts";
import { certificateAnnotations, certificateName } from "../../objects/route/ingress.ts";
import { letInUrl, signedInUrl } from "../../objects/route/login.ts";
import { type BoardDoorSettings, boardNameOf, labelsOf, watchMetadata } from "./pod.ts";
import { system } from "./roles.ts";

/** Reaches the Pod also while it is not ready: then the board says what is wrong. */
export const boardServiceOf = (name: string, { port }: BoardSettings) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: watchMetadata(boardNameOf(name), name),
  spec: {
    selector: { "app.kubernetes.io/name": name },
    publishNotReadyAddresses: true,
    ports: [{ name: "board", port, targetPort: "board", protocol: "TCP" }],
  },
});

/** Pods that reach the board's port: those of ingress controllers, which ask the login first. */
export const boardPeersOf = ({ route, network }: Pick<Settings, "route" | "network">) =>
  [{ ...route, ingressPodLabels: network.ingressPodLabels }, ...(route.also === undefined ? [] : [route.also])]
    .filter(({ kind }) => kind === "ingress")
    .map(({ namespace, ingressPodLabels }) => podsOf(namespace, ingressPodLabels));

/** The board's host at each controller that can ask the login, so that it moves as members' paths do. */
export const boardDoorsOf = (name: string, board: BoardSettings, settings: BoardDoorSettings): object[] =>
  serversOf(settings).flatMap((server) => {
    const { by, signsIn } = controllers[server.route.controller];
    const asks = by.login !== undefined && (signsIn === undefined || board.login.signIn !== undefined);
    return server.route.kind === "ingress" && asks ? boardDoorOf(name, board, server) : [];
  });

/**
 * The board's host, beside the ingress controller if members' paths are, so that it has the same certificates, or beside the
 * board. No object of a member's has one of these names: theirs have no dot, Services end in `-svc`, and no Middleware begins
 * with 0.
 * @param name the watch's
 */
function boardDoorOf(name: string, board: BoardSettings, settings: BoardDoorSettings): object[] {
  const { route } = settings;
  const { className, tls } = route;
  const namespace = isBeside(route) ? route.namespace : system;
  const { login } = board;
  const ways = waysOf(route.controller);
  const asked = { oidc: settings.oidc, route: { login } };
  const metadata = (own: string) => ({ name: own, namespace, labels: labelsOf(name) });
  const service = boardNameOf(name);
  const middleware = `0-${service}`;
  const byMiddleware = controllers[route.controller].by.login === "Middleware";
  const asking = byMiddleware
    ? { [traefikAnnotations.middlewares]: reference(middleware, namespace) }
    : ways.asking?.({ letInUrl: letInUrl({ username: "" }, asked), signIn: login.signIn ?? login.url });
  return [
    ...when(isBeside(route), {
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata(service),
      spec: {
        type: "ExternalName",
        externalName: `${service}.${system}.svc.${clusterDomainOf(settings)}.`,
        ports: [{ name: "http", port: board.port, protocol: "TCP", targetPort: board.port }],
      },
    }),
    ...when(byMiddleware, {
      apiVersion: "traefik.io/v1alpha1",
      kind: "Middleware",
      metadata: metadata(middleware),
      spec: askingLogin(signedInUrl(asked)),
    }),
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: {
        ...metadata(`${name}.board`),
        annotations: { ...asking, ...certificateAnnotations(route, ways) },
      },
      spec: {
        ingressClassName: className,
        ...(tls === undefined ? {} : { tls: [{ hosts: [board.host], secretName: certificateName(board, route) }] }),
        rules: [
          {
            host: board.host,
            http: {
              paths: ways
                .paths("/", false)
                .map((path) => ({ ...path, backend: { service: { name: service, port: { number: board.port } } } })),
            },
          },
        ],
      },
    },
  ];
}
