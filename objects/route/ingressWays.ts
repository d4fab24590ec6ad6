import type { Member } from "../../config/member/member.ts";
import type { RouteLimits } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import type { RouteDriver, RoutePart } from "./driver.ts";

type Annotations = Readonly<Record<string, string>>;

export interface IngressPath {
  readonly path: string;
  /** @see https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types */
  readonly pathType: "Exact" | "Prefix" | "ImplementationSpecific";
}

export interface IngressWays
  extends Pick<
    RouteDriver,
    "prefixes" | "annotations" | "tlsOf" | "strips" | "limitsOf" | "loginOf" | "apiGroups" | "caught"
  > {
  readonly caKey: NonNullable<RouteDriver["caKey"]>;
  /** Objects that an Ingress or the Service beside it refers to. Default: none. */
  readonly treatments?: readonly RoutePart[];
  /** Paths of an Ingress that match a member's path and those below it, and nobody else's. */
  readonly paths: (path: string, isStripped: boolean) => readonly IngressPath[];
  /** Annotations of an Ingress that strips the path, unless `paths` is enough. Default: none. */
  readonly stripping?: (path: string) => Annotations;
  /** Annotations of an Ingress for TLS to the member's Service. `ca`: the Secret, as `ingress-nginx/ca`. Default: none. */
  readonly tlsOnIngress?: (tls: { readonly ca?: string; readonly serverName: string }) => Annotations;
  /** Annotations of an Ingress with limits on requests. Default: none. */
  readonly limiting?: (limits: RouteLimits, paths: readonly IngressPath[]) => Annotations;
  /** Annotations of an Ingress that ask for a login, by the URL that lets in and the page to sign in. Default: none. */
  readonly asking?: (login: { readonly letInUrl: string; readonly signIn: string }) => Annotations;
  /** Annotations of an Ingress that refer to the treatments that a route has. Default: none. */
  readonly referring?: (treatments: readonly RoutePart[], member: Member, settings: Settings) => Annotations;
  /** Names of these annotations in the report. Default: the annotations themselves. */
  readonly reported?: Readonly<Record<string, string>>;
  /** Annotations of the Service beside the controller. Default: none. */
  readonly onService?: (member: Member, settings: Settings) => Annotations;
}
