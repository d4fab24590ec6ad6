import type { MemberRoute, RouteSettings } from "../../config/model/settings.ts";

type Content = Readonly<Record<string, unknown>>;

/** How objects of a kind say which paths they open, whoever made them. */
export interface DoorReading {
  /** The hosts and paths; the host `*` stands for all. */
  readonly hostPaths: (spec: Content) => MemberRoute[];
  /** Port of the Service that it leads to; undefined where it names none. */
  readonly backendPort: (spec: Content) => number | undefined;
  /** Whether what serves members' routes may serve it. */
  readonly isServed: (
    live: { readonly annotations: Readonly<Record<string, string>>; readonly spec: Content },
    route: RouteSettings,
  ) => boolean;
}

interface IngressSpec {
  readonly ingressClassName?: string;
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: {
      readonly paths: readonly {
        readonly path?: string;
        readonly backend?: { readonly service?: { readonly port?: { readonly number?: number } } };
      }[];
    };
  }[];
}

/** @see https://kubernetes.io/docs/concepts/services-networking/ingress/ */
export const ingressDoor: DoorReading = {
  hostPaths: ({ rules = [] }: IngressSpec) =>
    rules.flatMap(({ host = "*", http }) => (http?.paths ?? []).map(({ path = "/" }) => ({ host, path }))),
  backendPort: ({ rules: [rule] = [] }: IngressSpec) => rule?.http?.paths[0]?.backend?.service?.port?.number,
  // One without a class is anybody's.
  isServed: ({ annotations, spec }, route) => {
    const { ingressClassName = annotations["kubernetes.io/ingress.class"] }: IngressSpec = spec;
    return ingressClassName === undefined || ingressClassName === route.className;
  },
};

interface HttpRouteSpec {
  readonly parentRefs?: readonly { readonly name: string }[];
  readonly hostnames?: readonly string[];
  readonly rules?: readonly {
    readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
    readonly backendRefs?: readonly { readonly port?: number }[];
  }[];
}

/** @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
export const httpRouteDoor: DoorReading = {
  hostPaths: ({ hostnames = ["*"], rules = [] }: HttpRouteSpec) =>
    rules.flatMap(({ matches = [] }) =>
      matches.flatMap(({ path }) => hostnames.map((host) => ({ host, path: path?.value ?? "/" }))),
    ),
  backendPort: ({ rules: [rule] = [] }: HttpRouteSpec) => rule?.backendRefs?.[0]?.port,
  isServed: ({ spec }, { gateway }) =>
    ((spec as HttpRouteSpec).parentRefs ?? []).some(({ name }) => name === gateway?.name),
};
