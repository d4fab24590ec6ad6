import { controllers } from "../../config/model/controllers.ts";
import { isMap } from "../../config/model/maps.ts";
import type { Difference } from "./model.ts";
import type { Step } from "./steps.ts";
import { pathText, shown } from "./values.ts";

type Inputs = Readonly<Record<string, unknown>>;

/** An object of a route, as it was declared or is from now on. */
interface Part {
  readonly kind: string;
  readonly inputs: Inputs;
}

/** Parts of a route that have its address. */
const doors = ["route/ingress", "route/http"];

/**
 * What a route that becomes one of another kind, or another controller's, no longer sees to, or does from now on: each kind says
 * it elsewhere, and an object that goes takes along what it said.
 */
export function routeChecks(steps: readonly Step[]): Difference[] {
  const own = steps.filter(({ part, wasGone }) => part.startsWith("route/") && !wasGone);
  if (!isOfAnotherKind(own.filter(({ part }) => doors.includes(part)))) {
    return [];
  }
  const before = own.flatMap(({ kind, change, before }) => (change === "made" ? [] : [{ kind, inputs: before }]));
  const after = own.flatMap(({ kind, change, after }) => (change === "deleted" ? [] : [{ kind, inputs: after }]));
  const checks = [
    { what: "how its Service is reached", from: toService(before), to: toService(after) },
    { what: "prefix of the path", from: prefixOf(before), to: prefixOf(after) },
  ];
  const gone = own.filter(({ change }) => change === "deleted").flatMap(({ kind, before }) => unreadIn(kind, before));
  return [...checks.filter(({ from, to }) => from !== to), ...gone];
}

function isOfAnotherKind(all: readonly Step[]): boolean {
  const has = (change: Step["change"]) => all.some((step) => step.change === change);
  const classOf = ({ spec }: Inputs) => (isMap(spec) ? spec.ingressClassName : undefined);
  return (
    (has("made") && has("deleted")) ||
    all.some(
      ({ change, before, after }) =>
        change === "replaced" || (change === "changed" && classOf(before) !== classOf(after)),
    )
  );
}

/** Whether TLS is spoken to the member's Service, and whose certificate is expected there. */
function toService(parts: readonly Part[]): string {
  const note = (name: string) =>
    parts.map(({ inputs }) => annotationsIn(inputs)[name]).find((one) => one !== undefined);
  const specOf = (kind: string) => parts.map((part) => (part.kind === kind ? part.inputs.spec : undefined)).find(isMap);
  const [transport, policy] = [specOf("ServersTransport"), specOf("BackendTLSPolicy")];
  const checkedFor = (name: unknown) => `HTTPS, with the certificate checked for ${shown(name) ?? "any name"}`;
  if (policy !== undefined) {
    return checkedFor(isMap(policy.validation) ? policy.validation.hostname : undefined);
  }
  if (transport !== undefined && transport.insecureSkipVerify !== true) {
    return checkedFor(transport.serverName);
  }
  if (note("nginx.ingress.kubernetes.io/proxy-ssl-verify") === "on") {
    return checkedFor(note("nginx.ingress.kubernetes.io/proxy-ssl-name"));
  }
  if (note("haproxy.org/server-ca") !== undefined) {
    return checkedFor(undefined);
  }
  const isTls =
    transport !== undefined ||
    note("nginx.ingress.kubernetes.io/backend-protocol") === "HTTPS" ||
    note("haproxy.org/server-ssl") === "true" ||
    note("traefik.ingress.kubernetes.io/service.serversscheme") === "https" ||
    note("projectcontour.io/upstream-protocol.tls") !== undefined;
  return isTls ? "HTTPS, with no certificate checked" : "HTTP";
}

function prefixOf(parts: readonly Part[]): string {
  const isStripped = parts.some(
    ({ kind, inputs }) =>
      kind === "Middleware" ||
      JSON.stringify(inputs.spec ?? {}).includes('"URLRewrite"') ||
      ["nginx.ingress.kubernetes.io/rewrite-target", "haproxy.org/path-rewrite"].some(
        (name) => annotationsIn(inputs)[name] !== undefined,
      ),
  );
  return isStripped ? "taken off" : "kept";
}

/** What is told above in words. */
const understood =
  /\/(backend-protocol|proxy-ssl-\S+|use-regex|rewrite-target|server-(ssl|ca)|path-rewrite|upstream-protocol\.tls|router\.middlewares|service\.servers\S+)$/;
const prefixes = Object.values(controllers).flatMap((one) => one.prefixes);

/** What else a controller read of an object that goes, such as a login or a limit of requests: nothing does from now on. */
function unreadIn(kind: string, inputs: Inputs): Difference[] {
  return Object.entries(annotationsIn(inputs))
    .filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)) && !understood.test(name))
    .map(([name, value]) => ({
      what: `${kind} ${pathText(["metadata", "annotations", name])}`,
      from: shown(value),
      to: undefined,
    }));
}

function annotationsIn({ metadata }: Inputs): Inputs {
  const annotations = isMap(metadata) ? metadata.annotations : undefined;
  return isMap(annotations) ? annotations : {};
}
