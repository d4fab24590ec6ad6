import { defined } from "../../values/maps.ts";
import { readLimit, routeLimits, writtenLimit } from "../limits.ts";
import { loginWords, visitorHeaders } from "../login.ts";
import { bySegments, type Controller, literal } from "./controller.ts";

const own = {
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

/**
 * A rewrite on any Ingress makes every path of its host a case-insensitive regular expression, the longest first, so all
 * members have it or none. ingress-nginx accepts a Secret with a CA alone.
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/ingress-path-matching/
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/
 */
export const ingressNginx: Controller = {
  isFor: "clusters that have it already: no security fixes since March 2026",
  namespace: "ingress-nginx",
  className: "nginx",
  places: ["controller"],
  elsewhere:
    "its webhook lets no two Ingresses have a path, so that none could move there without a gap, and it gets no fixes; " +
    "leave it out, or choose another controller",
  externalName: "nothing, unless it runs with `--disable-svc-external-name`",
  by: {
    strip: "annotations",
    https: "annotations",
    bodyMiB: "annotations",
    timeoutSeconds: "annotations",
    websockets: "always",
    login: "annotations",
    allow: "annotations",
  },
  verifies: ["CA", "name"],
  // It leaves an Ingress with any other in `auth-url` out.
  signsIn: { characters: /^[-._~a-zA-Z0-9/:]*$/ },
  prefixes: ["nginx.ingress.kubernetes.io/"],
  annotations: { Ingress: Object.values(own), Service: [] },
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
  stripping: () => ({ [own.useRegex]: "true", [own.rewriteTarget]: "/$2" }),
  tlsOnIngress: ({ ca, serverName }) => ({
    [own.protocol]: "HTTPS",
    ...(ca !== undefined && {
      [own.caSecret]: ca,
      [own.verify]: "on",
      [own.verifiedName]: serverName,
      [own.sendsName]: "on",
    }),
  }),
  limiting: ({ bodyMiB, timeoutSeconds }) =>
    defined({
      [own.bodySize]: writtenLimit(bodyMiB, "m"),
      // Between two reads or writes, also of a WebSocket.
      [own.readTimeout]: writtenLimit(timeoutSeconds, ""),
      [own.sendTimeout]: writtenLimit(timeoutSeconds, ""),
    }),
  // nginx answers 500 if the proxy gives no answer, or another than 2xx, 401 and 403.
  asking: ({ letInUrl, signIn }) => ({
    [own.authUrl]: letInUrl,
    [own.authSignIn]: signIn,
    [own.authHeaders]: visitorHeaders.join(),
  }),
  reported: {
    [own.authUrl]: loginWords.asked,
    [own.authSignIn]: loginWords.signIn,
    [own.authHeaders]: loginWords.headers,
    [own.bodySize]: routeLimits.bodyMiB.what,
    [own.readTimeout]: routeLimits.timeoutSeconds.what,
    [own.sendTimeout]: routeLimits.timeoutSeconds.what,
  },
  limitsOf: ({ annotations }) => ({
    ...readLimit("bodyMiB", annotations[own.bodySize], "m"),
    ...readLimit("timeoutSeconds", annotations[own.readTimeout], ""),
  }),
  tlsOf: ({ annotations }) => {
    if (annotations[own.verify] === "on") {
      return { name: annotations[own.verifiedName] };
    }
    return annotations[own.protocol] === "HTTPS" ? "unchecked" : undefined;
  },
  loginOf: ({ annotations }) => ({ login: annotations[own.authUrl], allow: annotations[own.authUrl] }),
  strips: ({ annotations }) => annotations[own.rewriteTarget] !== undefined,
};
