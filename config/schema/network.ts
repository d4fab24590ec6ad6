import { z } from "zod";
import type { NetworkAccessEntry, NetworkEntry, NetworkExceptionEntry } from "../entries.ts";
import { flag, labels, namespaceName, text } from "./values.ts";

/** A port, as `5432` or `53/UDP`. */
const port = z.union(
  [z.int().min(1).max(65_535), z.string().regex(/^[1-9]\d{0,4}\/(TCP|UDP|SCTP)$/)],
  "must be a port, such as 5432 or 53/UDP",
);

const exception = z.strictObject(
  {
    cidr: text
      .optional()
      .meta({ description: "Addresses, IPv4 or IPv6, such as `10.20.0.0/16`. Either this or `namespace`." }),
    namespace: namespaceName.optional().meta({ description: "Pods of a namespace. Either this or `cidr`." }),
    podLabels: labels.optional().meta({ description: "Labels of those pods. Default: every pod of the namespace." }),
    ports: z.array(port, "must be a list of ports").optional().meta({
      description: "Ports, such as `5432` (TCP) or `53/UDP`. Default: every port.",
    }),
  },
  "must be a map with cidr or namespace",
) satisfies z.ZodType<NetworkExceptionEntry>;

const access = {
  internet: flag.optional(),
  egress: z.array(exception, "must be a list of exceptions").optional(),
  ingress: z.array(exception, "must be a list of exceptions").optional(),
};

/** What isolation lets through for some. */
export const networkAccess = z.strictObject(
  {
    internet: access.internet.meta({
      description:
        "Whether pods reach public addresses; private and metadata addresses stay closed. Default: as the stack has it.",
    }),
    egress: access.egress.meta({ description: "Where else connections of their pods may go. Default: nowhere." }),
    ingress: access.ingress.meta({
      description: "Where else connections to their pods may come from. Default: nowhere.",
    }),
  },
  "must be a map",
) satisfies z.ZodType<NetworkAccessEntry>;

/** What isolation is made from for everybody. */
export const networkSchema = z.strictObject(
  {
    ingressPodLabels: labels.optional().meta({
      description: "Labels of the ingress controller's pods. Default: every pod of its namespace.",
    }),
    dnsNamespace: namespaceName.optional().meta({
      description: "Namespace of the cluster's DNS pods.",
      default: "kube-system",
    }),
    dnsPodLabels: labels.optional().meta({
      description: "Labels of the cluster's DNS pods.",
      default: { "k8s-app": "kube-dns" },
    }),
    nodeLocalDns: z
      .array(text, "must be a list of IP addresses")
      .optional()
      .meta({
        description: "IP addresses of NodeLocal DNS, which runs on the nodes, so that no labels stand for it.",
        default: [],
        examples: [["169.254.20.10"]],
      }),
    internet: access.internet.meta({
      description: "Whether pods reach public addresses; private and metadata addresses stay closed.",
      default: true,
    }),
    egress: access.egress.meta({ description: "Where else connections of all members' pods may go.", default: [] }),
    ingress: access.ingress.meta({
      description: "Where else connections to all members' pods may come from, such as monitoring.",
      default: [],
    }),
  },
  "must be a map",
) satisfies z.ZodType<NetworkEntry>;
