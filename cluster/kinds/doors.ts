import type { MemberRoute, RouteSettings } from "../../config/model/settings.ts";
import { parkedClass } from "../../naming/names.ts";
import { refusalOf } from "./gatewayStatus.ts";

type Content = Readonly<Record<string, unknown>>;

/** How objects of a kind say which paths they open, whoever made them. */
export interface DoorReading {
  /** The hosts and paths; the host `*` stands for all. */
  readonly hostPaths: (spec: Content) => MemberRoute[];
  /** The Services that it leads to, each as far as it says: by name and port. */
  readonly backends: (spec: Content) => readonly Backend[];
  /** Whether what serves members' routes may serve it. */
  readonly isServed: (
    live: { readonly annotations: Readonly<Record<string, string>>; readonly spec: Content },
    route: RouteSettings,
  ) => boolean;
  /** Why nobody serves it, in a sentence; undefined where somebody does, or has not said yet. Default: nothing tells. */
  readonly unserved?: (live: object) => string | undefined;
  /** The spec that takes it from whatever serves it, as a merge patch. Default: two may have one path. */
  readonly parked?: Content;
}

/** What a route leads to. */
interface Backend {
  readonly name?: string;
  readonly port?: number | { readonly number?: number };
}

interface IngressSpec {
  readonly ingressClassName?: string;
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: {
      readonly paths: readonly {
        readonly path?: string;
        readonly backend?: { readonly service?: Backend };
      }[];
    };
  }[];
}

/** @see https://kubernetes.io/docs/concepts/services-networking/ingress/ */
export const ingressDoor: DoorReading = {
  hostPaths: ({ rules = [] }: IngressSpec) =>
    rules.flatMap(({ host = "*", http }) => (http?.paths ?? []).map(({ path = "/" }) => ({ host, path }))),
  backends: ({ rules = [] }: IngressSpec) =>
    rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend?.service ?? {})),
  // One without a class is anybody's.
  isServed: ({ annotations, spec }, route) => {
    const { ingressClassName = annotations["kubernetes.io/ingress.class"] }: IngressSpec = spec;
    return ingressClassName === undefined || ingressClassName === route.className;
  },
  parked: { ingressClassName: parkedClass },
};

interface HttpRouteSpec {
  readonly parentRefs?: readonly { readonly name: string }[];
  readonly hostnames?: readonly string[];
  readonly rules?: readonly {
    readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
    readonly backendRefs?: readonly Backend[];
  }[];
}

/** @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
export const httpRouteDoor: DoorReading = {
  hostPaths: ({ hostnames = ["*"], rules = [] }: HttpRouteSpec) =>
    rules.flatMap(({ matches = [] }) =>
      matches.flatMap(({ path }) => hostnames.map((host) => ({ host, path: path?.value ?? "/" }))),
    ),
  backends: ({ rules = [] }: HttpRouteSpec) => rules.flatMap(({ backendRefs = [] }) => backendRefs),
  isServed: ({ spec }, { gateway }) =>
    ((spec as HttpRouteSpec).parentRefs ?? []).some(({ name }) => name === gateway?.name),
  unserved: (live) => {
    const refusal = refusalOf(live);
    return refusal && `the Gateway does not serve its HTTPRoute: ${refusal}`;
  },
};
