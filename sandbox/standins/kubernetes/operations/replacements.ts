/** Fields whose change replaces the object: the official plugin's list, for the kinds of stacks. */
import { type Props, textAt } from "../../../../buckets/protocol/values.ts";
import type { Settings } from "../settings.ts";

const byKind: Record<string, string[]> = {
  "apps/v1/Deployment": ["spec.selector"],
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": ["roleRef"],
  "rbac.authorization.k8s.io/v1/RoleBinding": ["roleRef"],
  "v1/ResourceQuota": ["spec.scopes"],
  "v1/Secret": ["type"],
  "v1/Service": ["spec.clusterIP"],
};

export function replacingFields(object: Props, settings: Settings): string[][] {
  const identity = ["metadata.name", "metadata.namespace"];
  return [...identity, ...contentFields(object, settings)].map((path) => path.split("."));
}

function contentFields(object: Props, settings: Settings): string[] {
  const kind = `${textAt(object, "apiVersion")}/${textAt(object, "kind")}`;
  const mutable = kind === "v1/Secret" ? settings.secretMutable : settings.configMapMutable;
  const replacesData = !mutable || object.immutable === true;
  if (kind === "v1/Secret" && replacesData) {
    return ["type", "stringData", "data"];
  }
  if (kind === "v1/ConfigMap") {
    return replacesData ? ["binaryData", "data"] : [];
  }
  return byKind[kind] ?? [];
}
