import { defined } from "../../values/maps.ts";
import { readLimit, routeLimits, writtenLimit } from "../limits.ts";
import { bySegments, type Controller } from "./controller.ts";

const own = {
  timeout: "projectcontour.io/response-timeout",
  websockets: "projectcontour.io/websocket-routes",
};

/** @see https://projectcontour.io/docs/main/config/tls-delegation/ */
const certificateIn = "projectcontour.io/tls-cert-namespace";

const tls = "projectcontour.io/upstream-protocol.tls";

/** @see https://projectcontour.io/docs/main/config/annotations/ */
export const contour: Controller = {
  isFor: "routes with no login, no limit on bodies and no rewrite",
  namespace: "projectcontour",
  className: "contour",
  places: ["member", "controller"],
  externalName: "`enableExternalNameService: true` in its configuration",
  // Contour rewrites, limits requests, verifies and asks a login only for its own HTTPProxy, not for an Ingress.
  by: { https: "annotations", timeoutSeconds: "annotations", websockets: "annotations" },
  byService: ["https"],
  certificateIn,
  verifies: [],
  prefixes: ["projectcontour.io/"],
  annotations: { Ingress: [...Object.values(own), certificateIn], Service: [tls] },
  apiGroups: ["projectcontour.io"],
  caKey: "ca.crt",
  paths: bySegments,
  tlsOnService: { [tls]: "443" },
  limiting: (limits, paths) =>
    defined({
      // For the whole answer.
      [own.timeout]: writtenLimit(limits.timeoutSeconds, "s"),
      [own.websockets]: limits.websockets ? paths.map(({ path }) => path).join() : undefined,
    }),
  reported: { [own.timeout]: routeLimits.timeoutSeconds.what, [own.websockets]: routeLimits.websockets.what },
  limitsOf: ({ annotations }) => readLimit("timeoutSeconds", annotations[own.timeout], "s"),
  loginOf: () => ({}),
  tlsOf: ({ annotations }) => (annotations[tls] === undefined ? undefined : "unchecked"),
  strips: () => false,
};
