import { type HttpMethod, RequestContext } from "./kubeconfig/kubernetesClient.ts";

/** @param path with a query if there is one */
export function requestTo(server: string, method: HttpMethod, path: string): RequestContext {
  const request = new RequestContext(server + path, method);
  request.setHeaderParam("User-Agent", "kubecamp");
  return request;
}

/**
 * Has the API server omit all but names, labels and times.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches
 */
export const metadataAs = (kind: "PartialObjectMetadata" | "PartialObjectMetadataList") =>
  `application/json;as=${kind};g=meta.k8s.io;v=v1`;
