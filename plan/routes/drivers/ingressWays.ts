import type { Member, Settings } from "../../../config/model/settings.ts";
import type { RouteDriver, RoutePart } from "./driver.ts";

type Annotations = Readonly<Record<string, string>>;

/** One path of an Ingress. */
export interface IngressPath {
  readonly path: string;
  /** @see https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types */
  readonly pathType: "Exact" | "Prefix" | "ImplementationSpecific";
}

/** How a Service is spoken to over TLS, as far as a controller's annotations can say it. */
export interface BackendTls {
  /** Namespace and name of the Secret that has the CA, as `ingress-nginx/ca`; absent where nothing is verified. */
  readonly ca?: string;
  /** Name that the certificate is for. */
  readonly serverName: string;
}

/** What one ingress controller takes beyond the Ingress API. */
export interface IngressWays
  extends Pick<RouteDriver, "prefixes" | "annotations" | "tlsOf" | "strips" | "apiGroups" | "caught"> {
  readonly caKey: NonNullable<RouteDriver["caKey"]>;
  /** Objects that an Ingress or the Service beside it refers to. Default: none. */
  readonly treatments?: readonly RoutePart[];
  /** The paths of an Ingress that catch a member's path and what is below it, and nobody else's. */
  readonly paths: (path: string, isStripped: boolean) => readonly IngressPath[];
  /** Of an Ingress whose path is stripped, if that is not all of it. Default: none. */
  readonly stripping?: (path: string, member: Member, settings: Settings) => Annotations;
  /** Of an Ingress, for TLS to the member's Service. Default: none. */
  readonly tlsOnIngress?: (tls: BackendTls) => Annotations;
  /** Of the Service beside the controller, likewise. */
  readonly tlsOnService?: (member: Member, settings: Settings) => Annotations;
}
