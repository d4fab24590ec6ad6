import { parkedClass } from "../../config/names/names.ts";
import type { Backend, DoorReading } from "../../config/route/door.ts";
import { refusalOf } from "./gatewayStatus.ts";

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
  // Any controller may serve an Ingress without a class.
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
