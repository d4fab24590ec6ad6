import { routeLimits } from "../../../config/route/limits.ts";
import { defined } from "../../../config/values/maps.ts";
import { readLimit, writtenLimit } from "../limits.ts";
import { loginWords, visitorHeaders } from "../login.ts";
import { bySegments, ingressDriver, literal } from "./ingressDriver.ts";

const { bodyMiB: body, timeoutSeconds: time, websockets } = routeLimits;

const nginx = {
  useRegex: "nginx.ingress.kubernetes.io/use-regex",
  rewriteTarget: "nginx.ingress.kubernetes.io/rewrite-target",
  protocol: "nginx.ingress.kubernetes.io/backend-protocol",
  caSecret: "nginx.ingress.kubernetes.io/proxy-ssl-secret",
  verify: "nginx.ingress.kubernetes.io/proxy-ssl-verify",
  verifiedName: "nginx.ingress.kubernetes.io/proxy-ssl-name",
  sendsName: "nginx.ingress.kubernetes.io/proxy-ssl-server-name",
  bodySize: "nginx.ingress.kubernetes.io/proxy-body-size",
  readTimeout: "nginx.ingress.kubernetes.io/proxy-read-timeout",
  sendTimeout: "nginx.ingress.kubernetes.io/proxy-send-timeout",
  authUrl: "nginx.ingress.kubernetes.io/auth-url",
  authSignIn: "nginx.ingress.kubernetes.io/auth-signin",
  authHeaders: "nginx.ingress.kubernetes.io/auth-response-headers",
};

/** After a path that nginx strips: nothing, or a slash and the rest. */
const rest = "(/|$)(.*)";

const haproxy = {
  rewrite: "haproxy.org/path-rewrite",
  ssl: "haproxy.org/server-ssl",
  ca: "haproxy.org/server-ca",
  timeout: "haproxy.org/timeout-server",
};

const contour = {
  timeout: "projectcontour.io/response-timeout",
  websockets: "projectcontour.io/websocket-routes",
};

const contourTls = "projectcontour.io/upstream-protocol.tls";

/** Ingress controllers whose routes are an Ingress and a Service, with annotations for everything else. */
export const annotatedDrivers = {
  /**
   * A rewrite on any Ingress makes every path of its host a case-insensitive regular expression, the longest first, so all
   * members have it or none. ingress-nginx accepts a Secret with a CA alone.
   * @see https://kubernetes.github.io/ingress-nginx/user-guide/ingress-path-matching/
   * @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/
   */
  "ingress-nginx": ingressDriver({
    prefixes: ["nginx.ingress.kubernetes.io/"],
    annotations: { Ingress: Object.values(nginx), Service: [] },
    apiGroups: ["k8s.nginx.org"],
    caKey: "ca.crt",
    paths: (path, isStripped) =>
      isStripped && path !== "/"
        ? [{ path: `${literal(path)}${rest}`, pathType: "ImplementationSpecific" }]
        : bySegments(path),
    caught: (path) => {
      const before = path.endsWith(rest) ? path.slice(0, -rest.length) : undefined;
      const isLiteral = before !== undefined && !/[.()[\]{}|^$*+?\\]/.test(before.replaceAll("[.]", ""));
      return isLiteral ? before.replaceAll("[.]", ".") : undefined;
    },
    stripping: () => ({ [nginx.useRegex]: "true", [nginx.rewriteTarget]: "/$2" }),
    tlsOnIngress: ({ ca, serverName }) => ({
      [nginx.protocol]: "HTTPS",
      ...(ca !== undefined && {
        [nginx.caSecret]: ca,
        [nginx.verify]: "on",
        [nginx.verifiedName]: serverName,
        [nginx.sendsName]: "on",
      }),
    }),
    limiting: ({ bodyMiB, timeoutSeconds }) =>
      defined({
        [nginx.bodySize]: writtenLimit(bodyMiB, "m"),
        // Between two reads or writes, also of a WebSocket.
        [nginx.readTimeout]: writtenLimit(timeoutSeconds, ""),
        [nginx.sendTimeout]: writtenLimit(timeoutSeconds, ""),
      }),
    // nginx answers 500 if the proxy gives no answer, or another than 2xx, 401 and 403.
    asking: ({ letInUrl, signIn }) => ({
      [nginx.authUrl]: letInUrl,
      [nginx.authSignIn]: signIn,
      [nginx.authHeaders]: visitorHeaders.join(),
    }),
    reported: {
      [nginx.authUrl]: loginWords.asked,
      [nginx.authSignIn]: loginWords.signIn,
      [nginx.authHeaders]: loginWords.headers,
      [nginx.bodySize]: body.what,
      [nginx.readTimeout]: time.what,
      [nginx.sendTimeout]: time.what,
    },
    limitsOf: ({ annotations }) => ({
      ...readLimit("bodyMiB", annotations[nginx.bodySize], "m"),
      ...readLimit("timeoutSeconds", annotations[nginx.readTimeout], ""),
    }),
    tlsOf: ({ annotations }) => {
      if (annotations[nginx.verify] === "on") {
        return { name: annotations[nginx.verifiedName] };
      }
      return annotations[nginx.protocol] === "HTTPS" ? "unchecked" : undefined;
    },
    loginOf: ({ annotations }) => ({ login: annotations[nginx.authUrl], allow: annotations[nginx.authUrl] }),
    strips: ({ annotations }) => annotations[nginx.rewriteTarget] !== undefined,
  }),
  /** HAProxy's own. @see https://github.com/haproxytech/kubernetes-ingress/blob/master/documentation/annotations.md */
  haproxy: ingressDriver({
    prefixes: ["haproxy.org/", "haproxy.com/", "ingress.kubernetes.io/"],
    annotations: { Ingress: Object.values(haproxy), Service: [] },
    apiGroups: ["core.haproxy.org", "ingress.v1.haproxy.org", "ingress.v3.haproxy.org"],
    caKey: "tls.crt",
    paths: bySegments,
    stripping: (path) => ({ [haproxy.rewrite]: `^${literal(path)}(/|$)(.*) /\\2` }),
    tlsOnIngress: ({ ca }) => ({ [haproxy.ssl]: "true", ...(ca !== undefined && { [haproxy.ca]: ca }) }),
    // Without data from the Service; the ConfigMap's `timeout-tunnel` limits WebSockets instead.
    limiting: ({ timeoutSeconds }) => defined({ [haproxy.timeout]: writtenLimit(timeoutSeconds, "s") }),
    reported: { [haproxy.timeout]: time.what },
    limitsOf: ({ annotations }) => readLimit("timeoutSeconds", annotations[haproxy.timeout], "s"),
    loginOf: () => ({}),
    tlsOf: ({ annotations }) => {
      if (annotations[haproxy.ca] !== undefined) {
        return { name: undefined };
      }
      return annotations[haproxy.ssl] === "true" ? "unchecked" : undefined;
    },
    strips: ({ annotations }) => annotations[haproxy.rewrite] !== undefined,
  }),
  /** Rewrites and verifies for HTTPProxies only. @see https://projectcontour.io/docs/main/config/annotations/ */
  contour: ingressDriver({
    prefixes: ["projectcontour.io/"],
    annotations: { Ingress: Object.values(contour), Service: [contourTls] },
    apiGroups: ["projectcontour.io"],
    caKey: "ca.crt",
    paths: bySegments,
    onService: (_, { route }) => (route.backend.protocol === "HTTPS" ? { [contourTls]: "443" } : {}),
    limiting: (limits, paths) =>
      defined({
        // For the whole answer.
        [contour.timeout]: writtenLimit(limits.timeoutSeconds, "s"),
        [contour.websockets]: limits.websockets ? paths.map(({ path }) => path).join() : undefined,
      }),
    reported: { [contour.timeout]: time.what, [contour.websockets]: websockets.what },
    limitsOf: ({ annotations }) => readLimit("timeoutSeconds", annotations[contour.timeout], "s"),
    loginOf: () => ({}),
    tlsOf: ({ annotations }) => (annotations[contourTls] === undefined ? undefined : "unchecked"),
    strips: () => false,
  }),
};
