import { z } from "zod";
import { ingressControllers } from "../model/controllers.ts";
import type { MemberRouteEntry, ReadinessEntry, RouteEntry } from "../model/entries.ts";
import { caText } from "./certificates.ts";
import { amount, className, hostName, namespaceName, objectName, oneOf, text } from "./values.ts";

/** Where the member's name goes in `route.host`, `route.path` and `route.backendTls.serverName`. */
export const memberPlaceholder = "{member}";

/** What a stack's route has, as long as it does not say otherwise. */
export const standardReadiness = {
  mode: "gate",
  requires: "service",
  timeoutSeconds: 300,
  targetPort: 8080,
} as const satisfies ReadinessEntry;

/** A template with a member's name in the placeholder's stead. */
export const withMember = (template: string, member: string) => template.replaceAll(memberPlaceholder, member);

/** One letter of a host name, or the placeholder, which stands for a name that begins and ends like one. */
const letter = "([a-z0-9]|\\{member\\})";
const label = `${letter}(-*${letter})*`;

/** A host name that may have the member's name in it. */
const hostTemplate = text
  .regex(new RegExp(`^${label}(\\.${label})*$`), {
    error:
      "must be a host name in lower case, without scheme, port or path; {member} in it stands for the member's name",
    abort: true,
  })
  .superRefine((value, context) => {
    for (const { message } of hostName.safeParse(withMember(value, "member")).error?.issues ?? []) {
      context.addIssue(message);
    }
  });

const portName = text.regex(
  /^(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$/,
  "must be a port's name: at most 15 of a-z, 0-9 and '-'",
);

const readiness = {
  mode: {
    value: oneOf(["gate", "wait", "managed"]).optional(),
    description:
      "`gate` opens the route once the member's Service is there and fit, and reports it as pending until then; `wait` has the run wait for that, and fails the member whose Service takes too long; `managed` has kubecamp make the Service.",
  },
  requires: {
    value: oneOf(["service", "endpoints"]).optional(),
    description: "Whether a fit Service is enough (`service`), or a pod must be ready behind it (`endpoints`).",
  },
  timeoutSeconds: {
    value: amount(1, 3600, "seconds").optional(),
    description: "How long `wait` waits, in seconds.",
  },
  targetPort: {
    value: z.union([amount(1, 65_535, "ports"), portName], "must be the number or the name of a port").optional(),
    description: "Port of the pods, by number or name, that a `managed` Service leads to.",
  },
};

const readinessSchema = z.strictObject(
  {
    mode: readiness.mode.value.meta({ description: readiness.mode.description, default: standardReadiness.mode }),
    requires: readiness.requires.value.meta({
      description: readiness.requires.description,
      default: standardReadiness.requires,
    }),
    timeoutSeconds: readiness.timeoutSeconds.value.meta({
      description: readiness.timeoutSeconds.description,
      default: standardReadiness.timeoutSeconds,
    }),
    targetPort: readiness.targetPort.value.meta({
      description: readiness.targetPort.description,
      default: standardReadiness.targetPort,
    }),
  },
  "must be a map of when a route opens",
) satisfies z.ZodType<ReadinessEntry>;

const asStack = "Default: as the stack's `route.readiness` has it.";

const memberReadinessSchema = z.strictObject(
  {
    mode: readiness.mode.value.meta({ description: `${readiness.mode.description} ${asStack}` }),
    requires: readiness.requires.value.meta({ description: `${readiness.requires.description} ${asStack}` }),
    timeoutSeconds: readiness.timeoutSeconds.value.meta({
      description: `${readiness.timeoutSeconds.description} ${asStack}`,
    }),
    targetPort: readiness.targetPort.value.meta({ description: `${readiness.targetPort.description} ${asStack}` }),
  },
  "must be a map of when the route opens",
) satisfies z.ZodType<ReadinessEntry>;

export const routeSchema = z
  .strictObject(
    {
      kind: oneOf(["ingress", "gateway"]).optional().meta({
        description:
          "What opens a path: `ingress`, an Ingress beside the controller; `gateway`, an HTTPRoute of the Gateway API in the member's namespace, which needs `gateway`.",
        default: "ingress",
      }),
      host: hostTemplate.meta({
        description:
          "Host name that all members share who have none of their own; or, with `{member}` in it, a host for each member, so that none shares cookies with another.",
        examples: ["apps.example.org", "{member}.apps.example.org"],
      }),
      path: text
        .max(100, "must have at most 100 characters")
        .regex(
          /^((\/[a-z0-9]([-a-z0-9._]*[a-z0-9])?)*\/\{member\}|\/)$/,
          "must be a path that ends in /{member}, such as /{member} or /people/{member}; or / where the host has {member}",
        )
        .optional()
        .meta({
          description:
            "Path of each member; the member's name ends it. Default: `/{member}`, or `/` where `host` has `{member}`.",
        }),
      controller: oneOf(ingressControllers).optional().meta({
        description: "Which ingress controller it is: each has annotations of its own. Docs: docs/routes.md.",
        default: "ingress-nginx",
      }),
      namespace: namespaceName.optional().meta({
        description:
          "Namespace of the ingress controller's or the Gateway's pods, which must exist. Default: the controller's usual one, such as `ingress-nginx`; the Gateway's own.",
      }),
      className: className.optional().meta({
        description: "IngressClass of the ingress controller. Default: the controller's usual one, such as `nginx`.",
      }),
      gateway: z
        .strictObject(
          {
            name: objectName.meta({ description: "Name of the Gateway.", examples: ["public"] }),
            namespace: namespaceName.optional().meta({
              description: "Namespace of the Gateway. Default: `route.namespace`.",
            }),
            sectionName: className.optional().meta({
              description: "Name of the listener to attach to. Default: every listener that fits.",
            }),
          },
          "must be a map with at least 'name'",
        )
        .optional()
        .meta({ description: "The shared Gateway that members' routes are attached to; for `kind: gateway`." }),
      rewrite: oneOf(["none", "strip"]).optional().meta({
        description:
          "What members' Services see of a path: all of it (`none`), or what follows the member's prefix (`strip`). It is for all members or none.",
        default: "none",
      }),
      tls: z
        .strictObject(
          {
            secretName: objectName.optional().meta({
              description: "Secret with the certificate of all hosts, in the ingress controller's namespace.",
            }),
            clusterIssuer: objectName.optional().meta({
              description: "ClusterIssuer of cert-manager that makes a certificate for each host.",
            }),
            issuer: objectName.optional().meta({
              description: "Issuer of cert-manager in the ingress controller's namespace, likewise.",
            }),
          },
          "must be a map with one of secretName, clusterIssuer and issuer",
        )
        .optional()
        .meta({
          description:
            "Certificate of the public hosts; for `kind: ingress`. Default: the one that the controller has.",
          examples: [{ clusterIssuer: "letsencrypt" }],
        }),
      backendProtocol: oneOf(["HTTP", "HTTPS"]).optional().meta({
        description: "How the controller speaks to members' Services: `HTTP` to port 80, or `HTTPS` to port 443.",
        default: "HTTP",
      }),
      backendTls: z
        .strictObject(
          {
            ca: caText.optional().meta({
              description:
                "Certificate of the CA that signs those of members' Services, as PEM text. Default: an Ingress does not verify them; a Gateway expects one that its system trusts.",
            }),
            serverName: hostTemplate.optional().meta({
              description: "Name that a member's certificate is for.",
              default: `${memberPlaceholder}-svc.${memberPlaceholder}.svc`,
            }),
          },
          "must be a map",
        )
        .optional()
        .meta({ description: "How members' certificates are verified; for `backendProtocol: HTTPS`." }),
      readiness: readinessSchema.optional().meta({
        description: "When a member's route opens.",
        examples: [{ mode: "managed", targetPort: "http" }],
      }),
    },
    "must be a map with at least 'host'",
  )
  .meta({
    description: "The public path of each member, `https://HOST/<member>/`.",
    examples: [{ host: "apps.example.org", path: "/people/{member}" }],
  }) satisfies z.ZodType<RouteEntry>;

/** A path as it stands in an Ingress: segments of letters, digits and marks that mean nothing to any controller. */
const path = text
  .max(200, "must have at most 200 characters")
  .regex(
    /^((\/[a-z0-9]([-a-z0-9._]*[a-z0-9])?)+|\/)$/,
    "must be a path such as /bob: '/', then a-z, 0-9, '-', '.' and '_'; or / on a host of the member's own",
  );

export const memberRouteSchema = z.strictObject({
  host: hostName.optional().meta({ description: "Host name of the member's own. Default: the stack's `route.host`." }),
  path: path.optional().meta({
    description:
      "Path of the member's own; no member's path may lie within another's on the same host. Default: the stack's `route.path`.",
    examples: ["/lab/alice"],
  }),
  readiness: memberReadinessSchema.optional().meta({
    description: "When this member's route opens, as far as it is otherwise than the stack's `route.readiness`.",
  }),
}) satisfies z.ZodType<MemberRouteEntry>;
