import { definitionOf } from "./definitions.ts";

const text = { type: "string" };
const spec = {
  type: "object",
  properties: {
    owner: text,
    replicas: { type: "integer" },
    colour: { type: "string", default: "red" },
    parts: { type: "array", items: text },
  },
};
const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

/**
 * A CustomResourceDefinition whose versions are alike. Its objects have an owner, a number of replicas, a colour with a default,
 * and parts.
 */
export const customDefinition = (
  group: string,
  names: { readonly kind: string; readonly plural: string },
  scope: "Namespaced" | "Cluster" = "Namespaced",
  versions: readonly string[] = ["v1"],
) => definitionOf({ group, ...names, scope, versions, subresources: { scale } }, { spec });
