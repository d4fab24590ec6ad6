/**
 * A CustomResourceDefinition whose versions are alike. Its objects have an owner, a number of replicas, a colour with a default,
 * and parts.
 */
export const customDefinition = (
  group: string,
  names: { readonly kind: string; readonly plural: string },
  scope: "Namespaced" | "Cluster" = "Namespaced",
  versions: readonly string[] = ["v1"],
) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${names.plural}.${group}` },
  spec: {
    ...{ group, scope, names },
    versions: versions.map((name, at) => ({
      ...{ name, served: true, storage: at === 0 },
      subresources: { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              properties: {
                owner: { type: "string" },
                replicas: { type: "integer" },
                colour: { type: "string", default: "red" },
                parts: { type: "array", items: { type: "string" } },
              },
            },
          },
        },
      },
    })),
  },
});
