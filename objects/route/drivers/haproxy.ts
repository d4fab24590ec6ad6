import { limitWords, readLimit } from "../limits.ts";
import { bySegments, ingressDriver, literal } from "./ingressDriver.ts";

const prefix = "haproxy.org/";
const rewrite = `${prefix}path-rewrite`;
const ssl = `${prefix}server-ssl`;
const ca = `${prefix}server-ca`;
const timeout = `${prefix}timeout-server`;

/**
 * HAProxy's own ingress controller.
 * @see https://github.com/haproxytech/kubernetes-ingress/blob/master/documentation/annotations.md
 */
export const haproxy = ingressDriver({
  prefixes: [prefix, "haproxy.com/", "ingress.kubernetes.io/"],
  annotations: { Ingress: [rewrite, ssl, ca, timeout], Service: [] },
  apiGroups: ["core.haproxy.org", "ingress.v1.haproxy.org", "ingress.v3.haproxy.org"],
  caKey: "tls.crt",
  paths: bySegments,
  stripping: (path) => ({ [rewrite]: `^${literal(path)}(/|$)(.*) /\\2` }),
  tlsOnIngress: (tls) => ({ [ssl]: "true", ...(tls.ca === undefined ? {} : { [ca]: tls.ca }) }),
  // Without data from the Service; the ConfigMap's `timeout-tunnel` limits WebSockets instead.
  limiting: ({ timeoutSeconds }) => (timeoutSeconds === undefined ? {} : { [timeout]: `${timeoutSeconds}s` }),
  reported: { [timeout]: limitWords.timeoutSeconds },
  limitsOf: ({ annotations }) => readLimit("timeoutSeconds", annotations[timeout], "s"),
  loginOf: () => ({}),
  tlsOf: ({ annotations }) => {
    if (annotations[ca] !== undefined) {
      return { name: undefined };
    }
    return annotations[ssl] === "true" ? "unchecked" : undefined;
  },
  strips: ({ annotations }) => annotations[rewrite] !== undefined,
});
