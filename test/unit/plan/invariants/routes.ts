import { isDeepStrictEqual } from "node:util";
import type { V1Ingress, V1Service } from "@kubernetes/client-node";
import type { Backend } from "../../../../cluster/kinds/doors.ts";
import { type DoorKind, stackKinds } from "../../../../cluster/kinds/stackKinds.ts";
import type { Member } from "../../../../config/member/member.ts";
import { serviceAddress, serviceName } from "../../../../config/names/names.ts";
import { type LoginSettings, visitorHeaders } from "../../../../config/route/login.ts";
import type { MemberRoute } from "../../../../config/route/memberRoute.ts";
import type { Settings } from "../../../../config/settings.ts";
import { driverOf, drivers, isDoor, partsOf } from "../../../../objects/route/drivers/drivers.ts";
import { type Check, type Judged, unless } from "./judged.ts";

/** The Gateway API's HTTPRoute, as far as it is judged. */
interface HttpRouteSpec {
  readonly hostnames?: readonly string[];
  readonly parentRefs: readonly { readonly name: string; readonly namespace?: string; readonly kind?: string }[];
  readonly rules: readonly {
    readonly matches?: readonly {
      readonly path?: { readonly type?: string; readonly value: string };
      readonly headers?: readonly { readonly name: string }[];
    }[];
    readonly backendRefs?: readonly (Backend & { readonly namespace?: string; readonly kind?: string })[];
    readonly filters?: readonly { readonly type: string }[];
  }[];
}

const specOf = ({ args }: Judged) => Object(Reflect.get(args, "spec"));
const annotationsOf = ({ args }: Judged): Readonly<Record<string, string>> =>
  Object(Reflect.get(args, "metadata")).annotations ?? {};

/** Hosts and paths that a door catches; `*` stands for all. */
function openedBy(door: Judged, settings: Settings): MemberRoute[] {
  if (door.kind === "Ingress") {
    const { rules = [] } = (door.args as V1Ingress).spec ?? {};
    return rules.flatMap(({ host = "*", http }) =>
      (http?.paths ?? [{ path: undefined, pathType: "" }]).map(({ path = "*", pathType }) => ({
        host,
        path: pathType === "ImplementationSpecific" ? (driverOf(settings).caught?.(path) ?? "*") : path,
      })),
    );
  }
  if (door.kind === "HTTPRoute") {
    const { hostnames = ["*"], rules }: HttpRouteSpec = specOf(door);
    return hostnames.flatMap((host) =>
      rules.flatMap(({ matches = [{}] }) =>
        matches.map(({ path: { type = "", value } = { value: "*" } }) => ({
          host,
          path: type === "PathPrefix" || type === "Exact" ? value : "*",
        })),
      ),
    );
  }
  return stackKinds[door.kind as DoorKind].door?.hostPaths(specOf(door)) ?? [];
}

const isWithin = (inner: MemberRoute, outer: MemberRoute) =>
  inner.host === outer.host && `${inner.path}/`.startsWith(outer.path.replace(/\/*$/, "/"));

/** Also of paths that are not open: those of other members on the list. */
export const pathsApart: Check = (object, { settings, members }) => {
  const { member } = object;
  const own = member?.route;
  return isDoor(object)
    ? openedBy(object, settings).flatMap((opened) => [
        ...unless(own !== undefined && isWithin(opened, own), "is not the member's path", opened),
        ...members
          .filter(({ route, name, standing }) => route && name !== member?.name && standing === "active")
          .flatMap(({ name, route = opened }) =>
            unless(!isWithin(opened, route) && !isWithin(route, opened), `overlaps with ${name}`, opened),
          ),
      ])
    : [];
};

/** Annotations of an Ingress: others let controllers add hosts or run code. */
const isKnown = (key: string): boolean =>
  /^(kubecamp\.dev|pulumi\.com)\/|^cert-manager\.io\/(cluster-)?issuer$/.test(key) ||
  drivers.some(({ annotations }) => annotations.Ingress.includes(key));

export const ownBackend: Check = (object, { settings }) => {
  const { kind, member } = object;
  if (member === undefined) {
    return [];
  }
  const { door } = isDoor(object) ? stackKinds[kind as DoorKind] : {};
  const backends = door?.backends(specOf(object)) ?? [];
  return [
    ...backends.flatMap((backend) => unless(backend.name === serviceName(member), "backend", backend)),
    ...unless(door === undefined || backends.length > 0, "leads to no Service"),
    ...(ofKind[kind]?.(object, member, settings) ?? []),
  ];
};

const ofKind: Readonly<Record<string, (object: Judged, member: Member, settings: Settings) => string[]>> = {
  Ingress: (object) => [
    ...unless(specOf(object).defaultBackend === undefined, "defaultBackend"),
    ...Object.keys(annotationsOf(object)).flatMap((key) => unless(isKnown(key), key)),
  ],
  HTTPRoute: (object, { name }, { route: { gateway, tls } }) => {
    const { parentRefs, rules }: HttpRouteSpec = specOf(object);
    const [kind, parent] = tls === undefined ? ["Gateway", gateway?.name] : ["ListenerSet", name];
    return [
      ...parentRefs.flatMap((ref) =>
        unless(
          isDeepStrictEqual([ref.kind ?? "Gateway", ref.name, ref.namespace], [kind, parent, gateway?.namespace]),
          "parentRefs",
          ref,
        ),
      ),
      ...rules.flatMap(({ backendRefs = [], filters = [] }) => [
        ...backendRefs.flatMap((ref) =>
          unless(
            (ref.namespace ?? object.namespace) === object.namespace &&
              (ref.kind ?? "Service") === "Service" &&
              !("filters" in ref),
            "backendRefs",
            ref,
          ),
        ),
        ...filters.flatMap((filter) => unless(filter.type === "URLRewrite", "filters", filter)),
      ]),
    ];
  },
  ListenerSet: (object, { name, route: { host = "" } = {} }, { route: { gateway, tls = {} } }) => {
    const { parentRef, listeners } = specOf(object);
    const secretName = "secretName" in tls ? tls.secretName : `${host}-tls`;
    const known = {
      ...{ name: "https", hostname: host, port: 443, protocol: "HTTPS" },
      tls: { mode: "Terminate", certificateRefs: [{ group: "", kind: "Secret", name: secretName }] },
      allowedRoutes: {
        namespaces: { from: "Selector", selector: { matchLabels: { "kubernetes.io/metadata.name": name } } },
      },
    };
    return [
      ...unless(object.namespace === gateway?.namespace && parentRef.name === gateway?.name, "parentRef", parentRef),
      ...unless(isDeepStrictEqual(listeners, [known]), "listeners", listeners),
    ];
  },
  /** `login-first` judges which proxy it asks, and for whom. */
  SecurityPolicy: (object, { name }) => {
    const { targetRefs, extAuth, ...more } = specOf(object);
    return [
      ...unless(
        isDeepStrictEqual(targetRefs, [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", name }]),
        "targetRefs",
        targetRefs,
      ),
      ...unless(Object.keys(more).length === 0 && extAuth.failOpen === false, "spec", { ...more, ...extAuth }),
    ];
  },
  /** Any other could lead requests elsewhere. `login-first` judges which proxy it asks. */
  Middleware: (object, { route }) => {
    const spec = specOf(object);
    const { maxRequestBodyBytes } = Object(spec.buffering);
    const { address, authResponseHeaders } = Object(spec.forwardAuth);
    const known = [
      { stripPrefix: { prefixes: [route?.path] } },
      { buffering: { maxRequestBodyBytes } },
      { forwardAuth: { address, authResponseHeaders } },
    ];
    return unless(
      known.some((each) => isDeepStrictEqual(spec, each)),
      "spec",
      spec,
    );
  },
  Service: (object, member, settings) => {
    const {
      type = "ClusterIP",
      externalName,
      clusterIP,
      selector = {},
      ...more
    } = (object.args as V1Service).spec ?? {};
    const isHome = object.namespace !== settings.route.namespace;
    const leads = isHome
      ? type === "ClusterIP" && externalName === undefined && Object.keys(selector).length > 0
      : type === "ExternalName" && externalName?.replace(/\.$/, "") === serviceAddress(member, settings);
    // A StatefulSet of `objects` may have a headless Service.
    const isFree = !("externalIPs" in more) && !("loadBalancerIP" in more) && [undefined, "None"].includes(clusterIP);
    return unless(leads && isFree, "spec", specOf(object));
  },
};

/** Routes ask the stack's proxy, and nobody else, before they let a visitor in. */
export const loginFirst: Check = (object, { settings }) => {
  const { kind, member } = object;
  if (member === undefined) {
    return [];
  }
  const treatment = { kind, annotations: annotationsOf(object), spec: specOf(object) };
  const asked = drivers
    .flatMap(({ loginOf }) => Object.values(loginOf(treatment)))
    .filter((url) => url !== undefined)
    .map(String);
  const isOpen = settings.route.login !== undefined && isDoor(object) && asked.length === 0;
  return [
    ...asked.flatMap((url) =>
      unless(isOfStack(url, object, member, settings), "is not the login of the settings", url),
    ),
    ...unless(!isOpen || refersToLogin(object, member, settings), "asks for no login"),
  ];
};

/** Of Traefik's two Middlewares, the first lets in everyone who has signed in. A SecurityPolicy names a Service. */
function isOfStack(url: string, { kind, name }: Judged, member: Member, { route: { login }, oidc }: Settings): boolean {
  if (login === undefined || !URL.canParse(url)) {
    return false;
  }
  const { origin, pathname, searchParams } = new URL(url);
  if (kind === "SecurityPolicy") {
    const { host = "", path = "" } = member.route ?? {};
    const back = `https://${host}${path.replace(/\/?$/, "/")}`;
    return (
      origin === new URL(login.url).origin.replace(".cluster.local", "") &&
      isDeepStrictEqual([pathname, ...searchParams], ["/", ["rd", back], ...visitorsOf(login, member, oidc)])
    );
  }
  const isFirst = kind === "Middleware" && name === `401-${member.name}`;
  return (
    origin === new URL(login.url).origin &&
    pathname === (isFirst ? "/" : "/oauth2/auth") &&
    isDeepStrictEqual([...searchParams], isFirst ? [] : visitorsOf(login, member, oidc))
  );
}

/** Those whom the settings let in, as parameters of the query. */
function visitorsOf({ allow }: LoginSettings, { username }: Member, { usernamePrefix }: Settings["oidc"]) {
  const groups = Array.isArray(allow) ? allow.map((group) => ["allowed_groups", group]) : [];
  return allow === "member" ? [["allowed_emails", username.slice(usernamePrefix.length)]] : groups;
}

/** Whether a door refers to each object of the route that asks for a login, or comes after the one that refers to it. */
function refersToLogin(door: Judged, member: Member, settings: Settings): boolean {
  if (door.kind === "HTTPRoute") {
    const { rules }: HttpRouteSpec = specOf(door);
    const [, { backendRefs, filters, matches = [] } = {}, ...more] = rules;
    const refused = matches.flatMap(({ headers = [] }) => headers.map(({ name }) => name));
    const isRefusing = more.length === 0 && backendRefs === undefined && filters === undefined;
    return door.after().has("route/http-login") && isRefusing && isDeepStrictEqual(refused, visitorHeaders);
  }
  const words = partsOf(settings, member.route?.path)
    .filter(({ features = [] }) => features.includes("login") || features.includes("allow"))
    .map(({ reference }) => reference?.(member, settings) ?? "");
  const values = Object.values(annotationsOf(door)).flatMap((value) => value.split(","));
  return words.length > 0 && words.every((word) => values.includes(word));
}
