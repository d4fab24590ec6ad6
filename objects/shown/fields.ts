import { bucketFields, bucketUserFields } from "../buckets/bucketInputs.ts";
import type { Field, Fields } from "../field.ts";
import { limitRangeFields } from "../limitRange.ts";
import { fieldsOfAll } from "../metadata.ts";
import { memberLabelField, namespaceFields } from "../namespace.ts";
import { networkPolicyFields } from "../networkPolicy.ts";
import { roleFields, rulesFields } from "../rbac/role.ts";
import { bindingFields } from "../rbac/subjects.ts";
import { resourceQuotaFields } from "../resourceQuota.ts";
import { routeFields } from "../route/drivers/drivers.ts";
import { managedServiceFields } from "../route/managedService.ts";
import { starterDeploymentFields } from "../starter/starterDeployment.ts";
import { starterPagesFields } from "../starter/starterPages.ts";

const fields: Readonly<Record<string, Fields>> = {
  ...routeFields,
  Bucket: bucketFields,
  BucketUser: bucketUserFields,
  ClusterRole: rulesFields,
  ClusterRoleBinding: bindingFields,
  ConfigMap: starterPagesFields,
  Deployment: starterDeploymentFields,
  LimitRange: limitRangeFields,
  Namespace: namespaceFields,
  NetworkPolicy: networkPolicyFields,
  ResourceQuota: resourceQuotaFields,
  Role: roleFields,
  RoleBinding: bindingFields,
  Service: managedServiceFields,
};

/** The field at a path in Pulumi's form; undefined for one that reports show by kind and path. */
export const fieldAt = (kind: string, path: string): Field | undefined =>
  fields[kind]?.[path] ?? fieldsOfAll[path] ?? (kind === "Namespace" ? memberLabelField(path) : undefined);
