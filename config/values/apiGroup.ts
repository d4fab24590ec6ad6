/** Group of an API version, such as `apps` of `apps/v1`; empty for the core group. */
export const apiGroup = (apiVersion: string): string => /^(.*?)\//.exec(apiVersion)?.[1] ?? "";

/** Resource with its group, as kubectl and quotas name it: `deployments.apps`, or `configmaps`. */
export const groupResource = (resource: string, apiVersion: string): string =>
  [resource, apiGroup(apiVersion)].filter((part) => part !== "").join(".");
