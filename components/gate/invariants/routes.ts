import { isDeepStrictEqual } from "node:util";
import { doorKinds, stackKinds } from "../../../cluster/kinds/stackKinds.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { serviceAddress, serviceName } from "../../../naming/names.ts";
import { drivers } from "../../../plan/routes/drivers/drivers.ts";
import { broken, type Violation } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { isBelow, openedBy } from "../paths.ts";
import { listOf, mapAt, shown } from "../values.ts";
import { givenOf } from "./givenObjects.ts";

/** Reports the later of two: the earlier is registered already, or its member is outside the run's targets. */
export const pathsApart: Judge = ({ member, kind, args }, { paths, settings }) =>
  openedBy(kind, args, settings).flatMap(({ at, host, path }) => {
    if (host === undefined || path === undefined || member === undefined) {
      return [broken("paths-apart", at, `${shown({ host, path })} can be anybody's path`)];
    }
    const { name, route } = member;
    const clash = paths.clash(name, { host, path });
    const apart = (why: string) => broken("paths-apart", at, `'${host}${path}' ${why}`);
    const theirs = route === undefined ? "none" : route.host + route.path;
    const met = clash && `${clash.route.host}${clash.route.path}`;
    return [
      ...(route !== undefined && isBelow({ host, path }, route) ? [] : [apart(`is not the member's path (${theirs})`)]),
      ...(clash === undefined ? [] : [apart(`overlaps '${met}' of member '${clash.owner}'`)]),
    ];
  });

/** Checks the backends of routes and the targets of Services. */
export const ownBackend: Judge = (object, { settings }) => {
  switch (object.kind) {
    case "Ingress":
      return ofIngress(object);
    case "HTTPRoute":
      return ofHttpRoute(object, settings);
    case "Middleware":
      return ofMiddleware(object);
    case "Service":
      return ofService(object, settings);
    default:
      return ofOtherDoor(object);
  }
};

/** Checks the backends that the registry reads from another route kind. */
function ofOtherDoor({ kind, args, member }: GateObject): Violation[] {
  const own = member && serviceName(member);
  return doorKinds
    .filter((each) => each === kind)
    .flatMap((each) => stackKinds[each].door?.backends(mapAt(args, "spec")) ?? [])
    .filter(({ name }) => name !== own)
    .map((backend) => broken("own-backend", "spec", `${shown(backend)} is not the Service '${own}'`));
}

/** Permitted annotations of an Ingress: others let controllers add hosts or run code. */
const isKnown = (key: string): boolean =>
  /^(kubecamp\.dev|pulumi\.com)\/|^cert-manager\.io\/(cluster-)?issuer$/.test(key) ||
  drivers.some(({ annotations }) => annotations.Ingress.includes(key));

function ofIngress({ args, member }: GateObject): Violation[] {
  const { defaultBackend, rules } = mapAt(args, "spec");
  const own = member && serviceName(member);
  const paths = listOf(rules).flatMap((rule, index) =>
    listOf(mapAt(rule, "http").paths).map((path, nth) => ({
      path,
      at: `spec.rules[${index}].http.paths[${nth}].backend`,
    })),
  );
  return [
    ...(defaultBackend === undefined
      ? []
      : [broken("own-backend", "spec.defaultBackend", "answers for every path of the controller that no route has")]),
    ...Object.keys(mapAt(args, "metadata", "annotations"))
      .filter((key) => !isKnown(key))
      .map((key) => broken("own-backend", `metadata.annotations['${key}']`, "comes from no setting")),
    ...paths.flatMap(({ path, at }) => {
      const { service, ...others } = mapAt(path, "backend");
      return own !== undefined && mapAt(service).name === own && Object.keys(others).length === 0
        ? []
        : [broken("own-backend", at, `${shown(mapAt(path).backend)} is not the Service '${own}'`)];
    }),
  ];
}

function ofHttpRoute({ args, member, namespace }: GateObject, { route }: Settings): Violation[] {
  const { rules, parentRefs } = mapAt(args, "spec");
  const own = member && serviceName(member);
  const strange = listOf(parentRefs).filter((ref) => {
    const { kind = "Gateway", name, namespace: of } = mapAt(ref);
    return kind !== "Gateway" || name !== route.gateway?.name || of !== route.gateway?.namespace;
  });
  return [
    ...strange.map((ref) => broken("own-backend", "spec.parentRefs", `${shown(ref)} is not the stack's Gateway`)),
    ...listOf(rules).flatMap((rule, index) => {
      const { backendRefs, filters } = mapAt(rule);
      const at = `spec.rules[${index}]`;
      const foreign = listOf(backendRefs).filter((ref) => {
        const { group = "", kind = "Service", name, namespace: of = namespace, filters: more } = mapAt(ref);
        return group !== "" || kind !== "Service" || name !== own || of !== namespace || more !== undefined;
      });
      const leading = listOf(filters).filter((filter) => mapAt(filter).type !== "URLRewrite");
      return [
        ...foreign.map((ref) =>
          broken("own-backend", `${at}.backendRefs`, `${shown(ref)} is not the Service '${own}'`),
        ),
        ...leading.map((filter) => broken("own-backend", `${at}.filters`, `${shown(filter)} may lead elsewhere`)),
      ];
    }),
  ];
}

/** A Middleware of another kind may lead requests elsewhere. */
function ofMiddleware({ args, member }: GateObject): Violation[] {
  const spec = mapAt(args, "spec");
  const { maxRequestBodyBytes } = mapAt(spec, "buffering");
  const { address, authResponseHeaders } = mapAt(spec, "forwardAuth");
  const known = [
    { stripPrefix: { prefixes: [member?.route?.path] } },
    { buffering: { maxRequestBodyBytes } },
    // Another invariant checks which proxy it asks.
    { forwardAuth: { address, authResponseHeaders } },
  ];
  return known.some((each) => isDeepStrictEqual(spec, each))
    ? []
    : [
        broken(
          "own-backend",
          "spec",
          `${shown(spec)} does more than remove the member's path, limit requests and ask for a login`,
        ),
      ];
}

function ofService(object: GateObject, settings: Settings): Violation[] {
  const { args, member, namespace } = object;
  const { type, externalName, externalIPs, loadBalancerIP, clusterIP, selector } = mapAt(args, "spec");
  if (member === undefined) {
    return [];
  }
  const home = serviceAddress(member, settings);
  const isBeside = namespace === settings.route.namespace;
  const leads = isBeside
    ? type === "ExternalName" && String(externalName).replace(/\.$/, "") === home
    : type === "ClusterIP" && externalName === undefined && Object.keys(mapAt(selector)).length > 0;
  // A StatefulSet that members are given may have a headless Service.
  const address = clusterIP === "None" && givenOf(object) !== undefined ? undefined : clusterIP;
  const opens = [externalIPs, loadBalancerIP, address].filter((each) => each !== undefined);
  const reported = shown({ type, externalName, selector });
  return leads && opens.length === 0
    ? []
    : [broken("own-backend", "spec", `${reported} does not lead to ${isBeside ? home : "pods of the namespace"}`)];
}
