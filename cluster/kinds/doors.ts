import type { V1IngressSpec } from "@kubernetes/client-node";
import { parkedClass } from "../../config/names/names.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import type { RouteServer } from "../../config/route/route.ts";
import { isParent, isRejected, type ParentRef, refusalOf } from "./gatewayStatus.ts";

type Content = Readonly<Record<string, unknown>>;

export interface DoorReading {
  /** The host `*` means all. */
  readonly hostPaths: (spec: Content) => MemberRoute[];
  /** Services that the object leads to, as far as it names them. */
  readonly backends: (spec: Content) => readonly Backend[];
  /** Whether the stack's controller or Gateway takes the object's paths; until it has said so, it may. */
  readonly isServed: (live: LiveDoor, server: Pick<RouteServer, "className" | "gateway">) => boolean;
  /** Why the object is not served, in a sentence; undefined if it is, or has no status yet. Default: unknown. */
  readonly unserved?: (live: object) => string | undefined;
  /** Spec that takes the object from its controller, as a merge patch. Default: two objects may share a path. */
  readonly parked?: Content;
}

interface LiveDoor {
  readonly namespace: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** Spec and status. */
  readonly content: Content;
}

export interface Backend {
  readonly name?: string;
}

/** @see https://kubernetes.io/docs/concepts/services-networking/ingress/ */
export const ingressDoor: DoorReading = {
  hostPaths: ({ rules = [] }: V1IngressSpec) =>
    rules.flatMap(({ host = "*", http }) => (http?.paths ?? []).map(({ path = "/" }) => ({ host, path }))),
  backends: ({ rules = [] }: V1IngressSpec) =>
    rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend?.service ?? {})),
  // Any controller may serve an Ingress without a class.
  isServed: ({ annotations, content }, route) => {
    const { ingressClassName = annotations["kubernetes.io/ingress.class"] }: V1IngressSpec = Object(content.spec);
    return ingressClassName === undefined || ingressClassName === route.className;
  },
  parked: { ingressClassName: parkedClass },
};

interface HttpRouteSpec {
  readonly parentRefs?: readonly ParentRef[];
  readonly hostnames?: readonly string[];
  readonly rules?: readonly {
    readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
    readonly backendRefs?: readonly Backend[];
  }[];
}

const parentsOf = ({ spec }: Content): readonly ParentRef[] => (spec as HttpRouteSpec | undefined)?.parentRefs ?? [];

/** @see https://gateway-api.sigs.k8s.io/api-types/httproute/ */
export const httpRouteDoor: DoorReading = {
  hostPaths: ({ hostnames = ["*"], rules = [] }: HttpRouteSpec) =>
    rules.flatMap(({ matches = [] }) =>
      matches.flatMap(({ path }) => hostnames.map((host) => ({ host, path: path?.value ?? "/" }))),
    ),
  backends: ({ rules = [] }: HttpRouteSpec) => rules.flatMap(({ backendRefs = [] }) => backendRefs),
  isServed: ({ namespace, content }, { gateway }) =>
    gateway !== undefined &&
    parentsOf(content).some((parent) => isParent(parent, gateway, namespace)) &&
    !isRejected(content, gateway),
  unserved: (live) => {
    const refusal = refusalOf(live);
    return refusal && `the Gateway does not serve its HTTPRoute: ${refusal}`;
  },
};
