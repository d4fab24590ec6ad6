import { z } from "zod";
import { ingressControllers } from "../../model/routes/controllers.ts";
import { type ReadinessSettings, withMember } from "../../model/routes/route.ts";
import { defaultBackend, defaultReadiness, defaultRoute } from "../../model/settings/defaults.ts";
import { amount, choiceOf, className, dnsLabel, dnsSubdomain, flag, hostName, optional, text } from "../values.ts";
import { caText } from "./certificates.ts";
import { loginSchema } from "./login.ts";

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
        "`gate`: the route is pending until the Service is fit. `wait`: the run waits for it, then fails the member. `managed`: kubecamp creates the Service.",
        "mode",
      ),
    ),
  requires: choiceOf(["service", "endpoints"])
    .optional()
    .meta(meta("A fit Service (`service`), or also a ready pod behind it (`endpoints`).", "requires")),
  timeoutSeconds: amount(1, 3600, "seconds").optional().meta(meta("For `wait`, in seconds.", "timeoutSeconds")),
  targetPort: z
    .union([amount(1, 65_535, "ports"), portName], "must be the number or the name of a port")
    .optional()
    .meta(meta("For `managed`: the pods' port, by number or name.", "targetPort")),
});

const readinessSchema = z.strictObject(
  readiness((description, key) => ({ description, default: defaultReadiness[key] })),
  "must be a map of when a route opens",
);

const memberReadinessSchema = z.strictObject(
  readiness((description) => ({ description: `${description} Default: the stack's.` })),
  "must be a map of when the route opens",
);

export const routeSchema = z
  .strictObject(
    {
      kind: optional(
        choiceOf(["ingress", "gateway"]),
        "`ingress`: Ingresses in the controller's namespace. `gateway`: HTTPRoutes in members' namespaces; needs `gateway`.",
        { default: defaultRoute.kind },
      ),
      host: hostTemplate.meta({
        description: "Host that members share, or with `{member}` in it a host each, so that they share no cookies.",
        examples: ["apps.example.org", "{member}.apps.example.org"],
      }),
      path: optional(
        text
          .max(100, "must have at most 100 characters")
          .regex(
            /^((\/[a-z0-9]([-a-z0-9._]*[a-z0-9])?)*\/\{member\}|\/)$/,
            "must be a path that ends in /{member}, such as /{member} or /people/{member}; or / where the host has {member}",
          ),
        "Path, which ends in `{member}`. Default: `/{member}`, or `/` where `host` has `{member}`.",
      ),
      controller: optional(choiceOf(ingressControllers), "The ingress controller.", {
        default: defaultRoute.controller,
      }),
      namespace: optional(
        dnsLabel,
        "Existing namespace of the controller's or the Gateway's pods. Default: the usual one, such as `ingress-nginx`; the Gateway's.",
      ),
      className: optional(className, "IngressClass. Default: the usual one, such as `nginx`."),
      gateway: optional(
        z.strictObject(
          {
            name: dnsSubdomain.meta({ description: "Its name.", examples: ["public"] }),
            namespace: optional(dnsLabel, "Its namespace. Default: `route.namespace`."),
            sectionName: optional(className, "Its listener. Default: every listener that fits."),
          },
          "must be a map with at least 'name'",
        ),
        "The Gateway, for `kind: gateway`.",
      ),
      rewrite: optional(
        choiceOf(["none", "strip"]),
        "The path that apps get: whole (`none`), or without the member's prefix (`strip`).",
        { default: defaultRoute.rewrite },
      ),
      tls: optional(
        z.strictObject(
          {
            secretName: optional(dnsSubdomain, "Secret with it, in the controller's namespace."),
            clusterIssuer: optional(dnsSubdomain, "cert-manager ClusterIssuer for a certificate per host."),
            issuer: optional(dnsSubdomain, "The same by an Issuer in the controller's namespace."),
          },
          "must be a map with one of secretName, clusterIssuer and issuer",
        ),
        "Certificate of the hosts, for `kind: ingress`. Default: the controller's.",
        { examples: [{ clusterIssuer: "letsencrypt" }] },
      ),
      backendProtocol: optional(
        choiceOf(["HTTP", "HTTPS"]),
        "To members' Services: `HTTP` to port 80, or `HTTPS` to 443.",
        { default: defaultBackend.protocol },
      ),
      backendTls: optional(
        z.strictObject(
          {
            ca: optional(
              caText,
              "Their CA certificate, in PEM. Default: an Ingress verifies nothing, a Gateway trusts its system's CAs.",
            ),
            serverName: optional(hostTemplate, "Name that a certificate must have.", {
              default: defaultBackend.serverName,
            }),
          },
          "must be a map",
        ),
        "Verification of members' certificates, for `HTTPS`.",
      ),
      limits: optional(
        z.strictObject(
          {
            bodyMiB: optional(
              amount(1, 1_048_576, "MiB"),
              "Largest body of a request, in MiB. Default: the controller's, such as 1 MiB.",
              { examples: [100] },
            ),
            timeoutSeconds: optional(
              amount(1, 86_400, "seconds"),
              "How long the Service may take to answer, in seconds. Default: the controller's, such as 60.",
              { examples: [300] },
            ),
            websockets: optional(flag, "Whether WebSockets get through. Default: as the controller does."),
          },
          "must be a map with bodyMiB, timeoutSeconds or websockets",
        ),
        "Limits on requests, as far as the controller has them. See [routes.md](../run/routes.md#limits).",
        { examples: [{ bodyMiB: 100, timeoutSeconds: 300 }] },
      ),
      login: optional(
        loginSchema,
        "A login before every path, by a proxy that you run. See [login.md](../run/login.md).",
        {
          examples: [
            {
              kind: "oauth2-proxy",
              url: "http://oauth2-proxy.login.svc.cluster.local:4180",
              signIn: "https://apps.example.org/oauth2/start",
              allow: ["staff"],
            },
          ],
        },
      ),
      readiness: optional(readinessSchema, "When a path opens. See [readiness.md](../run/readiness.md).", {
        examples: [{ mode: "managed", targetPort: "http" }],
      }),
    },
    "must be a map with at least 'host'",
  )
  .meta({
    description: "The public path of each member, `https://HOST/<member>/`. See [routes.md](../run/routes.md).",
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
  host: optional(hostName, "Own host name. Default: the stack's."),
  path: optional(path, "Own path, not within another member's on the same host. Default: the stack's.", {
    examples: ["/lab/alice"],
  }),
  readiness: optional(memberReadinessSchema, "Differences from [`route.readiness`](#route)."),
});
