import { defined } from "../../values/maps.ts";
import { readLimit, routeLimits, writtenLimit } from "../limits.ts";
import { bySegments, type Controller, literal } from "./controller.ts";

const own = {
  rewrite: "haproxy.org/path-rewrite",
  ssl: "haproxy.org/server-ssl",
  ca: "haproxy.org/server-ca",
  timeout: "haproxy.org/timeout-server",
};

/** HAProxy's own. @see https://github.com/haproxytech/kubernetes-ingress/blob/master/documentation/annotations.md */
export const haproxy: Controller = {
  isFor: "routes with no login and no limit on bodies",
  namespace: "haproxy-controller",
  className: "haproxy",
  places: ["member"],
  elsewhere:
    "it asks for an ExternalName's address only when it reloads, so that a path is dead, or another member's, once its " +
    "Service has been made anew; leave it out",
  // It has no annotation for the size of requests, and none that asks another server.
  by: { strip: "annotations", https: "annotations", timeoutSeconds: "annotations", websockets: "always" },
  // Nor for the name that a certificate is for.
  verifies: ["CA"],
  prefixes: ["haproxy.org/", "haproxy.com/", "ingress.kubernetes.io/"],
  annotations: { Ingress: Object.values(own), Service: [] },
  apiGroups: ["core.haproxy.org", "ingress.v1.haproxy.org", "ingress.v3.haproxy.org"],
  caKey: "tls.crt",
  paths: bySegments,
  stripping: (path) => ({ [own.rewrite]: `^${literal(path)}(/|$)(.*) /\\2` }),
  tlsOnIngress: ({ ca }) => ({ [own.ssl]: "true", ...(ca !== undefined && { [own.ca]: ca }) }),
  // Without data from the Service; the ConfigMap's `timeout-tunnel` limits WebSockets instead.
  limiting: ({ timeoutSeconds }) => defined({ [own.timeout]: writtenLimit(timeoutSeconds, "s") }),
  reported: { [own.timeout]: routeLimits.timeoutSeconds.what },
  limitsOf: ({ annotations }) => readLimit("timeoutSeconds", annotations[own.timeout], "s"),
  loginOf: () => ({}),
  tlsOf: ({ annotations }) => {
    if (annotations[own.ca] !== undefined) {
      return { name: undefined };
    }
    return annotations[own.ssl] === "true" ? "unchecked" : undefined;
  },
  strips: ({ annotations }) => annotations[own.rewrite] !== undefined,
};
