import { boardPeerOf } from "./boardDoor.ts";
import { metadataOf, type PodOptions, port } from "./podOptions.ts";

/** For programs that read metrics by Services. */
export const serviceOf = ({ name }: PodOptions) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: metadataOf(name),
  spec: {
    selector: { "app.kubernetes.io/name": name },
    ports: [{ name: "http", port, targetPort: "http", protocol: "TCP" }],
  },
});

/**
 * Only Prometheus reaches the metrics, and only the ingress controller reaches the board, which believes it who a visitor
 * is. (Probes come from the node, which NetworkPolicies let pass.) What the watch itself reaches is left open: the API
 * server, the backend and those whom it tells have other addresses everywhere.
 */
export const networkPolicyOf = ({ name, prometheus, board }: PodOptions) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: metadataOf(name),
  spec: {
    podSelector: { matchLabels: { "app.kubernetes.io/name": name } },
    policyTypes: ["Ingress"],
    ingress: [
      {
        from: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": prometheus } },
            podSelector: { matchLabels: { "app.kubernetes.io/name": "prometheus" } },
          },
        ],
        ports: [{ port, protocol: "TCP" }],
      },
      ...(board === undefined
        ? []
        : [{ from: [boardPeerOf(board)], ports: [{ port: board.board.port, protocol: "TCP" }] }]),
    ],
  },
});
