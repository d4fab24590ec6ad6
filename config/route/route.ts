import { z } from "zod";
import { caText } from "../values/certificates.ts";
import type { EntryOf } from "../values/issues.ts";
import { defined, given } from "../values/maps.ts";
import { memberPlaceholder, withMember } from "../values/placeholders.ts";
import { choiceOf, className, dnsLabel, dnsSubdomain, hostName, labels, optional, text } from "../values/values.ts";
import type { RouteFeature, RoutePlace } from "./controllers/controller.ts";
import { controllerChoices, controllers, ingressControllers } from "./controllers.ts";
import { limitKeys, limitSettings } from "./limits.ts";
import { loginOf, loginSchema } from "./login.ts";
import { readinessSchema } from "./readiness.ts";

/** The Gateway that members' routes attach to. @see https://gateway-api.sigs.k8s.io/api-types/gateway/ */
export type GatewaySettings = NonNullable<RouteServer["gateway"]>;

/** Certificate of the public hosts: a Secret beside the controller, or cert-manager, which makes one for each host. */
type TlsSettings = { readonly secretName: string } | { readonly clusterIssuer: string } | { readonly issuer: string };

export const defaultRoute = {
  kind: "ingress",
  rewrite: "none",
} as const;

const defaultBackend = {
  protocol: "HTTP",
  serverName: `${memberPlaceholder}-svc.${memberPlaceholder}.svc`,
} as const;

/** Stands in where no route is made by a controller: for a Gateway, and in a file that is refused or can't be read. */
const noController = "traefik";

/** Features that a route needs of its ingress controller. @param path default: any path of the stack's routes */
export const featuresOf = ({ rewrite, backend, limits = {}, login }: RouteServer, path?: string): RouteFeature[] => [
  // A host of the member's own has no prefix to strip.
  ...(rewrite === "strip" && path !== "/" ? (["strip"] as const) : []),
  ...(backend.protocol === "HTTPS" ? (["https"] as const) : []),
  ...limitKeys.filter((key) => limits[key] !== undefined && limits[key] !== false),
  ...(login === undefined ? [] : (["login"] as const)),
  ...(login === undefined || login.allow === "members" ? [] : (["allow"] as const)),
];

/** A letter of a host name, or the placeholder: names begin and end with a letter or digit. */
const letter = "([a-z0-9]|\\{member\\})";

const label = `${letter}(-*${letter})*`;

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

/** A path as in an Ingress: only characters without a meaning to any controller. */
export const path = text
  .max(200, "must have at most 200 characters")
  .regex(
    /^((\/[a-z0-9]([-a-z0-9._]*[a-z0-9])?)+|\/)$/,
    "must be a path such as /bob: '/', then a-z, 0-9, '-', '.' and '_'; or / on a host of the member's own",
  );

/** What serves paths. The rest of `route` is the same for all of them. */
const server = {
  kind: optional(
    choiceOf(["ingress", "gateway"]),
    "`ingress`: Ingresses. `gateway`: HTTPRoutes in members' namespaces; needs `gateway`.",
    { default: defaultRoute.kind },
  ),
  controller: optional(
    choiceOf(ingressControllers),
    `The ingress controller: ${controllerChoices}. Required for \`kind: ingress\`.`,
  ),
  place: optional(
    choiceOf(["member", "controller"]),
    "Where Ingresses stand: in members' namespaces, or in the controller's, each with an ExternalName Service. " +
      "Default: `member`, for `ingress-nginx` `controller`. See [routes.md](../run/routes.md#where-ingresses-stand).",
  ),
  namespace: optional(
    dnsLabel,
    "Existing namespace of the controller's or the Gateway's pods. Default: the usual one, such as `traefik`; the Gateway's.",
  ),
  className: optional(className, "IngressClass. Default: the usual one, such as `traefik`."),
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
  tls: optional(
    z.strictObject(
      {
        secretName: optional(dnsSubdomain, "Secret with it, in the controller's or the Gateway's namespace."),
        clusterIssuer: optional(dnsSubdomain, "cert-manager ClusterIssuer for a certificate per host."),
        issuer: optional(dnsSubdomain, "The same by an Issuer in the controller's or the Gateway's namespace."),
      },
      "must be a map with one of secretName, clusterIssuer and issuer",
    ),
    "Certificate of the hosts; at a Gateway, of members with a host each. Default: the controller's, or its listener's.",
    { examples: [{ clusterIssuer: "letsencrypt" }] },
  ),
};

export const serverKeys = Object.keys(server) as (keyof typeof server)[];

export const routeSchema = z
  .strictObject(
    {
      kind: server.kind,
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
      controller: server.controller,
      place: server.place,
      namespace: server.namespace,
      className: server.className,
      gateway: server.gateway,
      rewrite: optional(
        choiceOf(["none", "strip"]),
        "The path that apps get: whole (`none`), or without the member's prefix (`strip`).",
        { default: defaultRoute.rewrite },
      ),
      tls: server.tls,
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
        z.strictObject(limitSettings, `must be a map with ${limitKeys.join(", ").replace(/, (?=\w+$)/, " or ")}`),
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
      also: optional(
        z.strictObject(
          {
            ...server,
            ingressPodLabels: optional(labels, "Labels of its pods, as in [`network.ingressPodLabels`](#network)."),
          },
          "must be a map with controller, or with kind: gateway and gateway",
        ),
        "A second controller or Gateway that serves every path, to move from one to the other. See [leave-ingress-nginx.md](../run/leave-ingress-nginx.md).",
        { examples: [{ controller: "traefik" }] },
      ),
      readiness: optional(readinessSchema, "When a path opens. See [readiness.md](../run/readiness.md).", {
        examples: [{ mode: "managed", targetPort: "http" }],
      }),
    },
    "must be a map with at least 'host'",
  )
  .meta({
    description: "The public path of each member, `https://HOST/<member>/`. See [routes.md](../run/routes.md).",
    examples: [{ host: "apps.example.org", controller: "traefik", path: "/people/{member}" }],
  });

/** What serves members' paths, with all of the route's settings: an ingress controller, or a Gateway. */
export type RouteServer = Readonly<ReturnType<typeof serverOf>> & {
  /** Where a run has objects beside a controller: the namespace of the one that needs Ingresses there, or of the first. */
  readonly beside: string;
};

export type RouteSettings = RouteServer & {
  /** A second one that serves every path, with the labels of its pods. Default: none. */
  readonly also?: RouteServer & { readonly ingressPodLabels: Readonly<Record<string, string>> };
};

/** Settings as each of those that serve members' paths has them: one, or two with `route.also`. */
export const serversOf = <S extends { readonly route: RouteSettings }>(settings: S): S[] => {
  const { also, ...route } = settings.route;
  return [route, also].flatMap((server) => (server === undefined ? [] : [{ ...settings, route: server }]));
};

export const gatewayOf = (settings: { readonly route: RouteSettings }): GatewaySettings | undefined =>
  serversOf(settings).find(({ route }) => route.kind === "gateway")?.route.gateway;

/** Namespace of the Gateway, or else of a controller. */
export const besideGateway = (settings: { readonly route: RouteSettings }): string =>
  gatewayOf(settings)?.namespace ?? settings.route.beside;

export const isBeside = ({ kind, place }: Pick<RouteServer, "kind" | "place">): boolean =>
  kind === "ingress" && place === "controller";

type RouteEntry = EntryOf<typeof routeSchema>;

export function routeSettingsOf({ also, ...entry }: RouteEntry = {}): RouteSettings {
  const first = serverOf(entry);
  const second = also && { ...serverOf(secondOf(entry, also)), ingressPodLabels: also.ingressPodLabels ?? {} };
  const servers = [first, second].filter((server) => server !== undefined);
  const { namespace: beside } = servers.find(isBeside) ?? servers.find(({ kind }) => kind === "ingress") ?? first;
  return { ...first, beside, ...(second && { also: { ...second, beside } }) };
}

/** The second server's settings: its own, and those that it shares with the first. */
export const secondOf = <E extends object, A extends object>(entry: E, also: A) => ({
  ...(Object.fromEntries(Object.entries(entry).filter(([key]) => !serverKeys.some((own) => own === key))) as Omit<
    E,
    keyof typeof server
  >),
  ...also,
});

function serverOf(entry: Omit<RouteEntry, "also">) {
  const { kind, rewrite } = { ...defaultRoute, ...given(entry, "kind", "rewrite") };
  const { controller = noController } = entry;
  const { gateway, tls, backendProtocol: protocol, backendTls = {}, limits } = entry;
  const names = controllers[controller];
  const usual = kind === "gateway" ? gateway?.namespace : undefined;
  const namespace = entry.namespace ?? usual ?? names.namespace;
  const place: RoutePlace = entry.place ?? names.places[0];
  return {
    kind,
    controller,
    place,
    namespace,
    className: entry.className ?? names.className,
    rewrite,
    ...defined({
      gateway:
        gateway?.name === undefined
          ? undefined
          : { name: gateway.name, namespace, ...given(gateway, "namespace", "sectionName") },
      tls: tls && tlsOf(tls),
      limits: limits && given(limits, ...limitKeys),
      login: entry.login && loginOf(entry.login),
    }),
    backend: { ...defaultBackend, ...given({ protocol }, "protocol"), ...given(backendTls, "ca", "serverName") },
  };
}

function tlsOf({ secretName, clusterIssuer, issuer = "" }: NonNullable<RouteEntry["tls"]>): TlsSettings {
  if (secretName !== undefined) {
    return { secretName };
  }
  return clusterIssuer === undefined ? { issuer } : { clusterIssuer };
}
