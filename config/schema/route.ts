import { z } from "zod";
import { ingressControllers } from "../model/controllers.ts";
import { defaultBackend, defaultReadiness, defaultRoute } from "../model/defaults.ts";
import { withMember } from "../model/memberPlaceholder.ts";
import type { ReadinessSettings } from "../model/settings.ts";
import { caText } from "./certificates.ts";
import { amount, choiceOf, className, dnsLabel, dnsSubdomain, hostName, text } from "./values.ts";

/** A letter of a host name, or the placeholder: names begin and end with a letter or digit. */
const letter = "([a-z0-9]|\\{member\\})";
const label = `${letter}(-*${letter})*`;

/** A host name that may contain the member's name. */
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

/** Schemas of the condition on which a route opens, shared by stack and members. */
const readiness = (meta: (description: string, key: keyof ReadinessSettings) => z.core.GlobalMeta) => ({
  mode: choiceOf(["gate", "wait", "managed"])
    .optional()
    .meta(
      meta(
        "`gate` opens the route once the member's Service is there and fit, and reports it as pending until then; `wait` has the run wait for that, and fails the member whose Service takes too long; `managed` has kubecamp make the Service.",
        "mode",
      ),
    ),
  requires: choiceOf(["service", "endpoints"])
    .optional()
    .meta(
      meta("Whether a fit Service is enough (`service`), or a pod must be ready behind it (`endpoints`).", "requires"),
    ),
  timeoutSeconds: amount(1, 3600, "seconds")
    .optional()
    .meta(meta("How long `wait` waits, in seconds.", "timeoutSeconds")),
  targetPort: z
    .union([amount(1, 65_535, "ports"), portName], "must be the number or the name of a port")
    .optional()
    .meta(meta("Port of the pods, by number or name, that a `managed` Service leads to.", "targetPort")),
});

const readinessSchema = z.strictObject(
  readiness((description, key) => ({ description, default: defaultReadiness[key] })),
  "must be a map of when a route opens",
);

const memberReadinessSchema = z.strictObject(
  readiness((description) => ({ description: `${description} Default: as the stack's \`route.readiness\` has it.` })),
  "must be a map of when the route opens",
);

export const routeSchema = z
  .strictObject(
    {
      kind: choiceOf(["ingress", "gateway"]).optional().meta({
        description:
          "What opens a path: `ingress`, an Ingress beside the controller; `gateway`, an HTTPRoute of the Gateway API in the member's namespace, which needs `gateway`.",
        default: defaultRoute.kind,
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
      controller: choiceOf(ingressControllers).optional().meta({
        description: "Which ingress controller it is: each has annotations of its own. Docs: docs/routes.md.",
        default: defaultRoute.controller,
      }),
      namespace: dnsLabel.optional().meta({
        description:
          "Namespace of the ingress controller's or the Gateway's pods, which must exist. Default: the controller's usual one, such as `ingress-nginx`; the Gateway's own.",
      }),
      className: className.optional().meta({
        description: "IngressClass of the ingress controller. Default: the controller's usual one, such as `nginx`.",
      }),
      gateway: z
        .strictObject(
          {
            name: dnsSubdomain.meta({ description: "Name of the Gateway.", examples: ["public"] }),
            namespace: dnsLabel.optional().meta({
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
      rewrite: choiceOf(["none", "strip"]).optional().meta({
        description:
          "What members' Services see of a path: all of it (`none`), or what follows the member's prefix (`strip`). It is for all members or none.",
        default: defaultRoute.rewrite,
      }),
      tls: z
        .strictObject(
          {
            secretName: dnsSubdomain.optional().meta({
              description: "Secret with the certificate of all hosts, in the ingress controller's namespace.",
            }),
            clusterIssuer: dnsSubdomain.optional().meta({
              description: "ClusterIssuer of cert-manager that makes a certificate for each host.",
            }),
            issuer: dnsSubdomain.optional().meta({
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
      backendProtocol: choiceOf(["HTTP", "HTTPS"]).optional().meta({
        description: "How the controller speaks to members' Services: `HTTP` to port 80, or `HTTPS` to port 443.",
        default: defaultBackend.protocol,
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
              default: defaultBackend.serverName,
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
  });

/** The public path of each member. */
export type RouteEntry = z.input<typeof routeSchema>;

/** A path as in an Ingress: only characters without a meaning to any controller. */
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
});
