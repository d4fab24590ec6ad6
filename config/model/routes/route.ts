import type { IngressController, RouteFeature } from "./controllers.ts";

/** Kind of route from the public host to a member's Service. */
type RouteKind = "ingress" | "gateway";

/**
 * The public path of each member, `https://HOST/<member>/`.
 * @see https://kubernetes.io/docs/concepts/services-networking/ingress/
 */
export interface RouteSettings {
  /** An Ingress in the controller's namespace, or an HTTPRoute in the member's. */
  readonly kind: RouteKind;
  /** The ingress controller, whose annotations an Ingress needs. */
  readonly controller: IngressController;
  /**
   * Namespace of the pods that traffic comes from: the ingress controller's or the Gateway's. It must exist. Default:
   * the controller's usual one; for a Gateway, the Gateway's own.
   */
  readonly namespace: string;
  /** IngressClass of the controller. Default: the controller's usual one. */
  readonly className: string;
  /** The shared Gateway; present if `kind` is `gateway`. */
  readonly gateway?: GatewaySettings;
  /** Whether requests reach the Service with their whole path (`none`) or without the member's prefix (`strip`). */
  readonly rewrite: "none" | "strip";
  /** Certificate of the public hosts. Default: the controller's own. */
  readonly tls?: TlsSettings;
  readonly backend: BackendSettings;
  /** Limits on requests to members' paths. Default: the controller's own. */
  readonly limits?: RouteLimits;
  /** Default: whoever reaches the controller reaches members' paths. */
  readonly login?: LoginSettings;
}

/**
 * A proxy that the controller asks about each request before it passes it on.
 * @see https://oauth2-proxy.github.io/oauth2-proxy/features/endpoints
 */
export interface LoginSettings {
  readonly kind: "oauth2-proxy";
  /** Address of the proxy for the controller, without a path, as `http://oauth2-proxy.login.svc.cluster.local:4180`. */
  readonly url: string;
  /** URL where browsers sign in; present for a controller that sends them there itself. */
  readonly signIn?: string;
  /**
   * Visitors whom a path lets in: everyone that the proxy lets in (`members`), only its own member (`member`), or members of one
   * of these groups.
   */
  readonly allow: "members" | "member" | readonly string[];
}

/** Limits on requests; each by default the controller's own. */
export interface RouteLimits {
  /** Largest body of a request, in MiB. */
  readonly bodyMiB?: number;
  /** How long a request may take, in seconds; what exactly counts differs between controllers (docs/run/routes.md). */
  readonly timeoutSeconds?: number;
  /** Whether the controller passes WebSockets on. */
  readonly websockets?: boolean;
}

export const limitKeys = ["bodyMiB", "timeoutSeconds", "websockets"] as const satisfies readonly (keyof RouteLimits)[];

/**
 * The Gateway that members' routes attach to.
 * @see https://gateway-api.sigs.k8s.io/api-types/gateway/
 */
export interface GatewaySettings {
  readonly name: string;
  /** Default: `route.namespace`. */
  readonly namespace: string;
  /** Name of one of its listeners. Default: all that match. */
  readonly sectionName?: string;
}

/**
 * Source of the certificate of the public hosts: a Secret in the controller's namespace, or cert-manager, which makes
 * one for each host.
 * @see https://cert-manager.io/docs/usage/ingress/
 */
export type TlsSettings =
  | { readonly secretName: string }
  | { readonly clusterIssuer: string }
  | { readonly issuer: string };

/** Connection from the controller to members' Services. */
export interface BackendSettings {
  /** With `HTTPS`, a path leads to the Service's port 443 instead of 80. */
  readonly protocol: "HTTP" | "HTTPS";
  /**
   * PEM text of the CA that signs members' certificates. Default: an Ingress verifies nothing; a Gateway expects a
   * certificate that its system trusts.
   */
  readonly ca?: string;
  /** Name in a member's certificate; contains `{member}`. */
  readonly serverName: string;
}

/** Condition on which a route opens. */
export interface ReadinessSettings {
  /**
   * `gate`: the route stays pending until the member's Service is fit. `wait`: the run waits for the Service, and fails
   * for that member after `timeoutSeconds`. `managed`: kubecamp makes the Service.
   */
  readonly mode: "gate" | "wait" | "managed";
  /** Whether the Service is enough (`service`), or ready pods must be behind it (`endpoints`). */
  readonly requires: "service" | "endpoints";
  /** Longest wait of a run, in seconds. */
  readonly timeoutSeconds: number;
  /** Port of the pods, by number or name, that a managed Service targets. */
  readonly targetPort: number | string;
}

/** The public address of a member's Service. */
export interface MemberRoute {
  readonly host: string;
  /** Such as `/bob`, or `/` on a host of the member's own. No member's path is within another's on the same host. */
  readonly path: string;
}

/** A member's route, with its condition to open. */
export interface PlannedRoute extends MemberRoute {
  readonly readiness: ReadinessSettings;
}

/** Kind of the object that holds a member's path. */
export const doorOf = ({ kind }: Pick<RouteSettings, "kind">) => (kind === "gateway" ? "HTTPRoute" : "Ingress");

/**
 * Features that a route needs of its ingress controller.
 * @param path the member's; default: any path of the stack's routes
 */
export const featuresOf = ({ rewrite, backend, limits = {}, login }: RouteSettings, path?: string): RouteFeature[] => [
  // A host of the member's own has no prefix to strip.
  ...(rewrite === "strip" && path !== "/" ? (["strip"] as const) : []),
  ...(backend.protocol === "HTTPS" ? (["https"] as const) : []),
  ...limitKeys.filter((key) => limits[key] !== undefined && limits[key] !== false),
  ...(login === undefined ? [] : (["login"] as const)),
  ...(login === undefined || login.allow === "members" ? [] : (["allow"] as const)),
];

/** Stands for the member's name in `route.host`, `route.path` and `route.backendTls.serverName`. */
export const memberPlaceholder = "{member}";

/** The template with the placeholder replaced. */
export const withMember = (template: string, member: string) => template.replaceAll(memberPlaceholder, member);
