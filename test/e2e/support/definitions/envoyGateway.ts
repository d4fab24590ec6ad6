import type { TestSandbox } from "../sandbox.ts";
import { definitionOf, installDefinitions } from "./definitions.ts";

const text = { type: "string" };
const flag = { type: "boolean" };
const count = { type: "integer", format: "int32" };
const list = (items: object) => ({ type: "array", items });
const map = (properties: object) => ({ type: "object", properties });

const backend = map({
  group: { ...text, default: "" },
  kind: { ...text, default: "Service" },
  name: text,
  namespace: text,
  port: count,
  weight: { ...count, default: 1 },
});

/** The fields of Envoy Gateway's schema that kubecamp writes, and some with which others would pass a login. */
const spec = (http: object) =>
  map({
    targetRefs: list(map({ group: text, kind: text, name: text, sectionName: text })),
    extAuth: map({
      failOpen: { ...flag, default: false },
      statusOnError: count,
      headersToExtAuth: list(text),
      recomputeRoute: flag,
      http: map({ backendRefs: list(backend), path: text, headersToBackend: list(text), ...http }),
    }),
    authorization: map({ defaultAction: text }),
    mergeType: text,
  });

const definition = (http: object) =>
  definitionOf(
    {
      ...{ group: "gateway.envoyproxy.io", kind: "SecurityPolicy", plural: "securitypolicies", versions: ["v1alpha1"] },
      subresources: { status: {} },
    },
    { spec: spec(http), status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    { required: ["spec"] },
  );

/**
 * Has the API server know Envoy Gateway's SecurityPolicy.
 * @returns a function that removes it with all its objects
 * @see https://gateway.envoyproxy.io/docs/api/extension_types/#securitypolicy
 */
export const installEnvoyGateway = (sandbox: TestSandbox) =>
  installDefinitions(sandbox, definition({ pathOverride: text }));

/** The same of a version before 1.8. */
export const installOldEnvoyGateway = (sandbox: TestSandbox) => installDefinitions(sandbox, definition({}));
