import { stringify } from "yaml";
import { type BoardSettings, metricsPort } from "../../config/board.ts";
import type { Settings } from "../../config/settings.ts";
import { podSecurityVersion } from "../../objects/namespace.ts";
import { system } from "./roles.ts";

/** Secret of the admin's with PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE and what the backend signs in with. */
const backendSecret = "kubecamp-backend";

const folders = {
  home: "/home/node/.pulumi",
  project: "/project",
  config: "/etc/kubecamp",
  kubeconfig: "/etc/kubecamp-kubeconfig",
} as const;

const confined = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

const mounts = {
  home: { name: "home", mountPath: folders.home },
  project: { name: "project", mountPath: folders.project },
  config: { name: "config", mountPath: folders.config, readOnly: true },
};

/**
 * The image is read-only, and the stack's files come from elsewhere: folders to write to, with links to both. Through
 * the links an edited ConfigMap arrives by itself; a file that it had not before takes a new Pod.
 */
const foldersOf = (image: string) => ({
  name: "folders",
  image,
  command: [
    "sh",
    "-c",
    [
      `ln -sfn /opt/pulumi/plugins ${folders.home}/plugins`,
      // A second source of the same name would be refused in one command.
      `ln -sfn /kubecamp/* ${folders.project}`,
      `ln -sfn ${folders.config}/* ${folders.project}`,
    ].join(" && "),
  ],
  securityContext: confined,
  resources: { requests: { cpu: "10m", memory: "16Mi" }, limits: { memory: "64Mi" } },
  volumeMounts: [mounts.home, mounts.project, mounts.config],
});

/** What a container of kubecamp's has, with a file system that it can't write to. */
const common = {
  env: [
    { name: "KUBECONFIG", value: `${folders.kubeconfig}/config` },
    { name: "PULUMI_HOME", value: folders.home },
    { name: "NODE_COMPILE_CACHE", value: "/tmp/node-compile-cache" },
  ],
  securityContext: confined,
  volumeMounts: [
    mounts.home,
    mounts.project,
    mounts.config,
    { name: "tmp", mountPath: "/tmp" },
    { name: "kubeconfig", mountPath: folders.kubeconfig, readOnly: true },
  ],
};

const withBackend = { envFrom: [{ secretRef: { name: backendSecret } }] };

const containerOf = ({ name, stack, image, board }: PodOptions) => ({
  name: "watch",
  image,
  args: [
    "watch",
    ...["--stack", stack],
    ...["--folder", folders.project],
    ...["--address", "0.0.0.0", "--port", String(port)],
    ...["--lease", `${system}/${name}`],
  ],
  ...common,
  env: [
    // By which it has the Lease.
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    ...common.env,
  ],
  ...withBackend,
  ports: [
    { name: "http", containerPort: port },
    ...(board === undefined ? [] : [{ name: "board", containerPort: board.board.port }]),
  ],
  // Fails when nothing answers, or when an up has made no progress for half an hour.
  livenessProbe: {
    httpGet: { path: "/healthz", port: "http" },
    periodSeconds: 20,
    timeoutSeconds: 5,
    failureThreshold: 6,
  },
  readinessProbe: { httpGet: { path: "/readyz", port: "http" }, periodSeconds: 10, timeoutSeconds: 5 },
  // Pulumi, its plugin and the program run for the length of an up.
  resources: { requests: { cpu: "100m", memory: "512Mi" }, limits: { memory: "2Gi" } },
});

/** Runs a command in the project's folder, once. @param isOpened whether it decrypts the stack's secrets */
export const commandOf = (image: string, args: readonly string[], { isOpened }: { readonly isOpened: boolean }) => ({
  name: args[0],
  image,
  workingDir: folders.project,
  args,
  ...common,
  ...(isOpened ? withBackend : {}),
  resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "1Gi" } },
});

/** A Pod with the stack's files, as the ServiceAccount of its name. */
export function podSpecOf({ name, image, files }: StackPod, container: object) {
  const items = [...(files?.keys() ?? [])].map((path) => ({ key: configMapKey(path), path }));
  return {
    serviceAccountName: name,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    initContainers: [foldersOf(image)],
    containers: [container],
    volumes: [
      { name: "home", emptyDir: { sizeLimit: "1Gi" } },
      { name: "project", emptyDir: { sizeLimit: "16Mi" } },
      { name: "tmp", emptyDir: { sizeLimit: "1Gi" } },
      { name: "config", configMap: { name: `${name}-config`, ...(items.length === 0 ? {} : { items }) } },
      { name: "kubeconfig", configMap: { name: `${name}-kubeconfig` } },
    ],
  };
}

export function deploymentOf(options: PodOptions) {
  const { name } = options;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: watchMetadata(name),
    spec: {
      // Never two: the second would wait for the Lease. While a Pod ends its up, its successor does.
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: { "app.kubernetes.io/name": name } },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          ...podSpecOf(options, containerOf(options)),
          // A lock on the state has the name of the machine that took it. Always the same name lets the next Pod see that a
          // lock is the one that this Pod left when it was killed. No other Pod or machine may have this name.
          hostname: name,
          // As long as an up may take that was under way when the Pod was told to end.
          terminationGracePeriodSeconds: 300,
        },
      },
    },
  };
}

/** Key of a file in the ConfigMap: keys have no slashes, and a page of one name may be in two folders. */
const configMapKey = (path: string) => path.replaceAll("/", "__");

/** The stack's files; encrypted values stay encrypted. */
export const configOf = ({ name, files = new Map() }: StackPod) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: watchMetadata(`${name}-config`, name),
  data: Object.fromEntries([...files].map(([path, text]) => [configMapKey(path), text])),
});

/** The Pod's ServiceAccount as the context that the stack's file names everywhere, so that one file serves all. */
export const kubeconfigOf = ({ name, context }: StackPod) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: watchMetadata(`${name}-kubeconfig`, name),
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

export type BoardDoorSettings = Pick<Settings, "cluster" | "network" | "oidc" | "route">;

export interface StackPod {
  readonly name: string;
  readonly context: string;
  readonly image: string;
  /** The stack's files by path in the project's folder; undefined if the ConfigMap is made elsewhere. */
  readonly files?: ReadonlyMap<string, string>;
}

export interface PodOptions extends StackPod {
  readonly stack: string;
  /** Namespace of the Prometheus that may read the metrics. */
  readonly prometheus: string;
  /** For a stack with a board: the settings that it depends on. */
  readonly board?: BoardDoorSettings & { readonly board: BoardSettings };
}

export const port = metricsPort;
export const labelsOf = (name: string) => ({
  "app.kubernetes.io/name": name,
  "app.kubernetes.io/part-of": "kubecamp",
});

export const boardNameOf = (name: string) => `${name}-board`;

export const watchMetadata = (name: string, of = name) => ({ name, namespace: system, labels: labelsOf(of) });

/** Where the watch runs, apart from members and the ingress controller: who may start Pods here has all its rights. */
export const systemNamespace = {
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
