import { bucketFields, bucketUserFields } from "../../../plan/objects/buckets/bucketInputs.ts";
import type { Field, Fields } from "../../../plan/objects/field.ts";
import { limitRangeFields } from "../../../plan/objects/limitRange.ts";
import { fieldsOfAll } from "../../../plan/objects/metadata.ts";
import { namespaceFields } from "../../../plan/objects/namespace.ts";
import { networkPolicyFields } from "../../../plan/objects/networkPolicy.ts";
import { roleFields, rulesFields } from "../../../plan/objects/rbac/role.ts";
import { bindingFields } from "../../../plan/objects/rbac/subjects.ts";
import { resourceQuotaFields } from "../../../plan/objects/resourceQuota.ts";
import { managedServiceFields } from "../../../plan/objects/route/managedService.ts";
import { starterDeploymentFields } from "../../../plan/objects/starter/starterDeployment.ts";
import { starterPagesFields } from "../../../plan/objects/starter/starterPages.ts";
import { routeFields } from "../../../plan/routes/drivers/drivers.ts";

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
