import type { TestSandbox } from "../sandbox.ts";
import { definitionOf, installDefinitions } from "./definitions.ts";

const text = { type: "string" };
const map = (properties: object) => ({ type: "object", properties });

/** The fields of Traefik's schema that kubecamp writes, and those that change for whom a request is passed on. */
const spec = map({
  buffering: map({ maxRequestBodyBytes: { type: "integer", format: "int64" }, retryExpression: text }),
  forwardAuth: map({
    address: text,
    authResponseHeaders: { type: "array", items: text },
    authResponseHeadersRegex: text,
    authRequestHeaders: { type: "array", items: text },
    trustForwardHeader: { type: "boolean" },
  }),
  stripPrefix: map({ prefixes: { type: "array", items: text } }),
});

/** The same of a ServersTransport, with one more key. */
const transportSpec = map({
  serverName: text,
  insecureSkipVerify: { type: "boolean" },
  rootCAs: { type: "array", items: map({ secret: text, configMap: text }) },
  certificatesSecrets: { type: "array", items: text },
  forwardingTimeouts: map({ responseHeaderTimeout: text, dialTimeout: text }),
});

const definition = (kind: string, properties: object) =>
  definitionOf({ group: "traefik.io", kind, versions: ["v1alpha1"] }, { spec: properties }, { required: ["spec"] });

/**
 * Has the API server know Traefik's Middleware.
 * @returns a function that removes it with all its objects
 * @see https://doc.traefik.io/traefik/reference/install-configuration/providers/kubernetes/kubernetes-crd/
 */
export const installMiddlewares = (sandbox: TestSandbox) => installDefinitions(sandbox, definition("Middleware", spec));

/** The same of its ServersTransport. */
export const installTransports = (sandbox: TestSandbox) =>
  installDefinitions(sandbox, definition("ServersTransport", transportSpec));
