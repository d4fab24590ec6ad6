import { bucketFields, bucketUserFields } from "../../../objects/buckets/bucketInputs.ts";
import type { Field, Fields } from "../../../objects/field.ts";
import { limitRangeFields } from "../../../objects/limitRange.ts";
import { fieldsOfAll } from "../../../objects/metadata.ts";
import { namespaceFields } from "../../../objects/namespace.ts";
import { networkPolicyFields } from "../../../objects/networkPolicy.ts";
import { roleFields, rulesFields } from "../../../objects/rbac/role.ts";
import { bindingFields } from "../../../objects/rbac/subjects.ts";
import { resourceQuotaFields } from "../../../objects/resourceQuota.ts";
import { routeFields } from "../../../objects/route/drivers/drivers.ts";
import { managedServiceFields } from "../../../objects/route/managedService.ts";
import { starterDeploymentFields } from "../../../objects/starter/starterDeployment.ts";
import { starterPagesFields } from "../../../objects/starter/starterPages.ts";

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
export const fieldAt = (kind: string, path: string): Field | undefined => fields[kind]?.[path] ?? fieldsOfAll[path];
