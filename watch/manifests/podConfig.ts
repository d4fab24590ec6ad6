import { stringify } from "yaml";
import { podSecurityVersion } from "../../plan/objects/namespace.ts";
import { metadataOf, type PodOptions, system } from "./podOptions.ts";

/** Where the watch runs, apart from members and the ingress controller: who may start Pods here has all its rights. */
export const namespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name: system,
    labels: {
      "app.kubernetes.io/part-of": "kubecamp",
      "pod-security.kubernetes.io/enforce": "restricted",
      "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
    },
  },
};

/** Key of a file in the ConfigMap: keys have no slashes, and a page of one name may be in two folders. */
export const keyOf = (path: string) => path.replaceAll("/", "__");

/** The stack's files; encrypted values stay encrypted. */
export const configOf = ({ name, files = new Map() }: PodOptions) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadataOf(`${name}-config`, name),
  data: Object.fromEntries([...files].map(([path, text]) => [keyOf(path), text])),
});

/**
 * The Pod's own ServiceAccount under the name of the context that the stack's file has on every other machine, so that
 * one file serves all.
 */
export const kubeconfigOf = ({ name, context }: PodOptions) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadataOf(`${name}-kubeconfig`, name),
  data: {
    config: stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": context,
      contexts: [{ name: context, context: { cluster: context, user: name } }],
      clusters: [
        {
          name: context,
          cluster: {
            server: "https://kubernetes.default.svc",
            "certificate-authority": "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
          },
        },
      ],
      users: [{ name, user: { tokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token" } }],
    }),
  },
});
