import { limitWords, readLimit } from "../limits.ts";
import { loginWords, visitorHeaders } from "../login.ts";
import { bySegments, ingressDriver, literal } from "./ingressDriver.ts";

const prefix = "nginx.ingress.kubernetes.io/";
const useRegex = `${prefix}use-regex`;
const rewriteTarget = `${prefix}rewrite-target`;
const protocol = `${prefix}backend-protocol`;
const caSecret = `${prefix}proxy-ssl-secret`;
const verify = `${prefix}proxy-ssl-verify`;
const verifiedName = `${prefix}proxy-ssl-name`;
const sendsName = `${prefix}proxy-ssl-server-name`;

const bodySize = `${prefix}proxy-body-size`;
const readTimeout = `${prefix}proxy-read-timeout`;
const sendTimeout = `${prefix}proxy-send-timeout`;

const authUrl = `${prefix}auth-url`;
const authSignIn = `${prefix}auth-signin`;
const authHeaders = `${prefix}auth-response-headers`;

/** After a stripped path: nothing, or a slash and the rest. */
const rest = "(/|$)(.*)";

/**
 * ingress-nginx: a rewrite on any Ingress makes every path of its host a case-insensitive regular expression, the longest
 * first, so all members have it or none. It accepts a Secret with a CA alone.
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/ingress-path-matching/
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#backend-certificate-authentication
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#custom-max-body-size
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#custom-timeouts
 * @see https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#external-authentication
 */
export const ingressNginx = ingressDriver({
  prefixes: [prefix],
  annotations: {
    Ingress: [
      useRegex,
      rewriteTarget,
      protocol,
      caSecret,
      verify,
      verifiedName,
      sendsName,
      bodySize,
      readTimeout,
      sendTimeout,
      authUrl,
      authSignIn,
      authHeaders,
    ],
    Service: [],
  },
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
  stripping: () => ({ [useRegex]: "true", [rewriteTarget]: "/$2" }),
  tlsOnIngress: ({ ca, serverName }) => ({
    [protocol]: "HTTPS",
    ...(ca === undefined ? {} : { [caSecret]: ca, [verify]: "on", [verifiedName]: serverName, [sendsName]: "on" }),
  }),
  limiting: ({ bodyMiB, timeoutSeconds }) => ({
    ...(bodyMiB === undefined ? {} : { [bodySize]: `${bodyMiB}m` }),
    // Between two reads or writes, also of a WebSocket.
    ...(timeoutSeconds === undefined ? {} : { [readTimeout]: `${timeoutSeconds}`, [sendTimeout]: `${timeoutSeconds}` }),
  }),
  // nginx answers 500 if the proxy gives no answer, or another than 2xx, 401 and 403.
  asking: ({ letInUrl, signIn }) => ({
    [authUrl]: letInUrl,
    [authSignIn]: signIn,
    [authHeaders]: visitorHeaders.join(),
  }),
  reported: {
    [authUrl]: loginWords.asked,
    [authSignIn]: loginWords.signIn,
    [authHeaders]: loginWords.headers,
    [bodySize]: limitWords.bodyMiB,
    [readTimeout]: limitWords.timeoutSeconds,
    [sendTimeout]: limitWords.timeoutSeconds,
  },
  limitsOf: ({ annotations }) => ({
    ...readLimit("bodyMiB", annotations[bodySize], "m"),
    ...readLimit("timeoutSeconds", annotations[readTimeout], ""),
  }),
  tlsOf: ({ annotations }) => {
    if (annotations[verify] === "on") {
      return { name: annotations[verifiedName] };
    }
    return annotations[protocol] === "HTTPS" ? "unchecked" : undefined;
  },
  loginOf: ({ annotations }) => ({ login: annotations[authUrl], allow: annotations[authUrl] }),
  strips: ({ annotations }) => annotations[rewriteTarget] !== undefined,
});
