import type { LimitKey, RouteLimits } from "../limits.ts";
import type { ControllerKind } from "./resources.ts";

export type Annotations = Readonly<Record<string, string>>;

/** One path of an Ingress. */
export interface IngressPath {
  readonly path: string;
  /** @see https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types */
  readonly pathType: "Exact" | "Prefix" | "ImplementationSpecific";
}

/** TLS to a Service, as far as a controller's annotations can express it. */
interface BackendTls {
  /** Secret with the CA as `namespace/name`, such as `ingress-nginx/ca`; absent if nothing is verified. */
  readonly ca?: string;
  /** Name that the certificate is for. */
  readonly serverName: string;
}

/** A login, as far as a controller's annotations can ask for it. */
interface Login {
  /** URL that says whether a visitor is let in. */
  readonly letInUrl: string;
  /** URL where browsers sign in. */
  readonly signIn: string;
}

/** An object of a route, as far as it affects how requests are forwarded. */
export interface Treatment {
  readonly kind: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** TLS to a Service: without a check of the certificate, or for a name, which may be any. */
type SpokenTls = "unchecked" | { readonly name: unknown };

/** Login that an object of a route has the controller ask for, by the URLs that it asks. */
export interface AskedLogin {
  /** Asked whether a visitor has signed in. */
  readonly login?: unknown;
  /** Asked whether the visitor is let in. */
  readonly allow?: unknown;
}

/** How to read the objects of a route, whoever made them. */
export interface RouteReading {
  /** Annotations that its routes can have, by the kind of object. */
  readonly annotations: { readonly Ingress: readonly string[]; readonly Service: readonly string[] };
  /** API groups that configure it, which members may not write. */
  readonly apiGroups: readonly string[];
  /** The path that a value of type ImplementationSpecific matches; undefined if it can be any. Default: it can be any. */
  readonly caught?: (path: string) => string | undefined;
  /** TLS to the member's Service that an object of a route asks for; undefined if it asks for none. */
  readonly tlsOf: (object: Treatment) => SpokenTls | undefined;
  /** Whether an object of a route strips the path from requests. */
  readonly strips: (object: Treatment) => boolean;
  /** Limits on requests that an object of a route sets. */
  readonly limitsOf: (object: Treatment) => RouteLimits;
  /** Login that an object of a route asks for. */
  readonly loginOf: (object: Treatment) => AskedLogin;
}

/** Something that a route asks of its ingress controller beyond the Ingress API. */
export type RouteFeature =
  | "strip"
  | "https"
  | LimitKey
  /** A visitor has signed in. */
  | "login"
  /** The visitor is one of those whom `route.login.allow` names. */
  | "allow";

/** Where a route's Ingress stands: in the member's namespace, or beside the controller, with a Service of its own there. */
export type RoutePlace = "member" | "controller";

type Way = "annotations" | ControllerKind;

/** All that kubecamp knows of an ingress controller: a file each, and a line in `controllers.ts`. */
export interface Controller extends RouteReading {
  /** What to take it for, in a few words after `for`: for messages, `init` and docs. */
  readonly isFor: string;
  /** Its usual namespace, as its own guide installs it. */
  readonly namespace: string;
  /** Its usual IngressClass. */
  readonly className: string;
  /** Where its Ingresses can stand, by default at the first. */
  readonly places: readonly [RoutePlace, ...RoutePlace[]];
  /** Why they can't stand at another place, and what to do; after "is not for <controller>: ". */
  readonly elsewhere?: string;
  /** Prefixes of the annotations that the controller reads on an Ingress or its Service. */
  readonly prefixes: readonly string[];
  /** Setting that the controller needs for Services of type ExternalName; one line of Markdown. Default: it gets none. */
  readonly externalName?: string;
  /** The way to ask for each feature; absent where no Ingress can. `always`: it can't be switched off. */
  readonly by: { readonly https: Way } & { readonly [F in RouteFeature]?: Way | "always" };
  /** Features that it reads from annotations of the Service, which is the member's own in their namespace. Default: none. */
  readonly byService?: readonly RouteFeature[];
  /** Annotation of an Ingress in another namespace than its certificate. Default: a certificate has to be beside it. */
  readonly certificateIn?: string;
  /** Parts of a certificate that the controller can verify. */
  readonly verifies: readonly ("CA" | "name")[];
  /** Key in which it looks for a CA, in a Secret beside it. */
  readonly caKey: "ca.crt" | "tls.crt";
  /** For `login` by annotations: it sends browsers to sign in, and its annotation takes these characters only. */
  readonly signsIn?: { readonly characters: RegExp };
  /** Paths of an Ingress that match a member's path and those below it, and nobody else's. */
  readonly paths: (path: string, isStripped: boolean) => readonly IngressPath[];
  /** Annotations of an Ingress that strips the path, unless `paths` is enough. Default: none. */
  readonly stripping?: (path: string) => Annotations;
  /** Annotations of an Ingress for TLS to the member's Service. Default: none. */
  readonly tlsOnIngress?: (tls: BackendTls) => Annotations;
  /** Annotations of the Service beside the controller for TLS to the member's. Default: none. */
  readonly tlsOnService?: Annotations;
  /** Annotations of an Ingress with limits on requests. Default: none. */
  readonly limiting?: (limits: RouteLimits, paths: readonly IngressPath[]) => Annotations;
  /** Annotations of an Ingress that ask for a login. Default: none. */
  readonly asking?: (login: Login) => Annotations;
  /** Names of these annotations in the report. Default: the annotations themselves. */
  readonly reported?: Annotations;
}

/** Matches by path segment, as the Ingress API says; every path is below the root. */
export const bySegments = (path: string): IngressPath[] => [{ path, pathType: "Prefix" }];

/** Escapes a path that members can have for a regular expression: only dots have a meaning there. */
export const literal = (path: string) => path.replaceAll(".", "[.]");
