import { limitWords, readLimit } from "../limits.ts";
import { bySegments, ingressDriver } from "./ingressDriver.ts";

const prefix = "projectcontour.io/";
const tlsPorts = `${prefix}upstream-protocol.tls`;
const timeout = `${prefix}response-timeout`;
const websockets = `${prefix}websocket-routes`;

/**
 * Contour rewrites and verifies for its own HTTPProxy only, not for an Ingress.
 * @see https://projectcontour.io/docs/main/config/annotations/
 */
export const contour = ingressDriver({
  prefixes: [prefix],
  annotations: { Ingress: [timeout, websockets], Service: [tlsPorts] },
  apiGroups: ["projectcontour.io"],
  caKey: "ca.crt",
  paths: bySegments,
  onService: (_, { route }) => (route.backend.protocol === "HTTPS" ? { [tlsPorts]: "443" } : {}),
  limiting: (limits, paths) => ({
    // For the whole answer.
    ...(limits.timeoutSeconds === undefined ? {} : { [timeout]: `${limits.timeoutSeconds}s` }),
    ...(limits.websockets === true ? { [websockets]: paths.map(({ path }) => path).join() } : {}),
  }),
  reported: { [timeout]: limitWords.timeoutSeconds, [websockets]: limitWords.websockets },
  limitsOf: ({ annotations }) => readLimit("timeoutSeconds", annotations[timeout], "s"),
  loginOf: () => ({}),
  tlsOf: ({ annotations }) => (annotations[tlsPorts] === undefined ? undefined : "unchecked"),
  strips: () => false,
});
