import { defaultKubernetes, type KubernetesMinor, kubernetesMinors, kubernetesVersions } from "../kubernetes.ts";

type ModuleName = `kubernetes-${KubernetesMinor}` | "actionlint" | "caddy" | "helm" | "kwok" | "pulumi" | "versitygw";

export type ToolName =
  | "etcd"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kube-scheduler"
  | "kubectl"
  | "kwok"
  | "kwokctl"
  | "pulumi"
  | "versitygw";

export interface Tool<Name extends string = ToolName> {
  readonly name: Name;
  /** Tools of one module share most of the packages that they are compiled from. */
  readonly module: ModuleName;
  readonly package: string;
  readonly version: string;
  readonly linkerFlags: string;
  /** Arguments that make the tool print its version, among other words. */
  readonly versionArguments: readonly string[];
  /** Acceptable versions on the PATH: another patch, or any later one of the same major version. */
  readonly accepts: "patch" | "later";
}

const stripped = "-s -w";

function controlPlane(minor: KubernetesMinor): readonly Tool[] {
  const { kubernetes, etcd } = kubernetesVersions[minor];
  const module = `kubernetes-${minor}` as const;
  const linkerFlags = [
    stripped,
    `-X k8s.io/component-base/version.gitVersion=v${kubernetes}`,
    "-X k8s.io/component-base/version.gitMajor=1",
    `-X k8s.io/component-base/version.gitMinor=${minor.replace("1.", "")}`,
  ].join(" ");
  const tool = (name: ToolName, versionArguments: readonly string[] = ["--version"]): Tool => ({
    name,
    module,
    package: `k8s.io/kubernetes/cmd/${name}`,
    version: kubernetes,
    linkerFlags,
    versionArguments,
    accepts: "patch",
  });
  return [
    tool("kube-apiserver"),
    tool("kube-controller-manager"),
    tool("kube-scheduler"),
    tool("kubectl", ["version", "--client"]),
    {
      name: "etcd",
      module,
      package: "go.etcd.io/etcd/server/v3",
      version: etcd,
      linkerFlags: stripped,
      versionArguments: ["--version"],
      accepts: "patch",
    },
  ];
}

function kwok(name: ToolName): Tool {
  return {
    name,
    module: "kwok",
    package: `sigs.k8s.io/kwok/cmd/${name}`,
    // renovate: sigs.k8s.io/kwok
    version: "0.8.0",
    linkerFlags: stripped,
    versionArguments: ["--version"],
    accepts: "patch",
  };
}

/** A tool in a module of its own. */
interface OwnTool extends Omit<Tool, "name" | "module" | "linkerFlags"> {
  /** The linker's `-X` variable for the version, with all text before it. Default: the module sets its version itself. */
  readonly versionIn?: string;
}

function ownModule<Name extends ModuleName>(name: Name, { versionIn, ...tool }: OwnTool): Tool<Name> {
  const linkerFlags = versionIn === undefined ? stripped : `${stripped} -X ${versionIn}${tool.version}`;
  return { name, module: name, linkerFlags, ...tool };
}

const besides: readonly Tool[] = [
  kwok("kwokctl"),
  kwok("kwok"),
  ownModule("pulumi", {
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    // renovate: github.com/pulumi/pulumi/pkg/v3
    version: "3.259.0",
    versionIn: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v",
    versionArguments: ["version"],
    accepts: "later",
  }),
  ownModule("versitygw", {
    package: "github.com/versity/versitygw/cmd/versitygw",
    // renovate: github.com/versity/versitygw
    version: "1.8.0",
    versionIn: "main.Version=",
    versionArguments: ["--version"],
    accepts: "patch",
  }),
];

/**
 * Tools of a sandbox with this Kubernetes, in build order: largest first within a module, since it compiles the packages that
 * the others share.
 */
export function toolsOf(kubernetes: KubernetesMinor = defaultKubernetes): readonly Tool[] {
  return [...controlPlane(kubernetes), ...besides];
}

/** Tools of all sandboxes. */
export const catalogue: readonly Tool[] = [...kubernetesMinors.flatMap(controlPlane), ...besides];

/** The linter of GitHub's workflows. */
export const actionlint: Tool<"actionlint"> = ownModule("actionlint", {
  package: "github.com/rhysd/actionlint/cmd/actionlint",
  // renovate: github.com/rhysd/actionlint
  version: "1.7.12",
  versionIn: "github.com/rhysd/actionlint.version=",
  versionArguments: ["-version"],
  accepts: "patch",
});

/** The server of starter apps' pages. */
export const caddy: Tool<"caddy"> = ownModule("caddy", {
  package: "github.com/caddyserver/caddy/v2/cmd/caddy",
  // renovate: github.com/caddyserver/caddy/v2
  version: "2.11.9",
  versionArguments: ["version"],
  accepts: "later",
});

/** A tool that the benchmark compares with, besides kubectl. */
export const helm: Tool<"helm"> = ownModule("helm", {
  package: "helm.sh/helm/v4/cmd/helm",
  // renovate: helm.sh/helm/v4
  version: "4.3.1",
  versionIn: "helm.sh/helm/v4/internal/version.version=v",
  versionArguments: ["version", "--template={{.Version}}"],
  accepts: "later",
});

/** Tools that no sandbox needs, built only when a test or the benchmark asks for them. */
export const onDemand: readonly Tool<string>[] = [actionlint, caddy, helm];

/** The path of each tool, found on the PATH or built. */
export type ToolPaths = Readonly<Record<ToolName, string>>;
