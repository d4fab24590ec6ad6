export type ModuleName = "actionlint" | "caddy" | "helm" | "kubernetes" | "kwok" | "pulumi" | "versitygw";

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
  /** The folder in `modules/` whose go.mod and go.sum pin the tool and everything under it. */
  readonly module: ModuleName;
  readonly package: string;
  readonly version: string;
  readonly linkerFlags: string;
  /** Arguments that make the binary print its version, among other words. */
  readonly versionArguments: readonly string[];
  /** How far another version, found on the PATH, may be from ours: another patch, or anything later of the same major. */
  readonly accepts: "patch" | "later";
}

const stripped = "-s -w";
const kubernetesVersion = "1.36.3";
const kubernetesFlags = [
  stripped,
  `-X k8s.io/component-base/version.gitVersion=v${kubernetesVersion}`,
  "-X k8s.io/component-base/version.gitMajor=1",
  "-X k8s.io/component-base/version.gitMinor=36",
].join(" ");
const pulumiVersion = "3.259.0";
const versitygwVersion = "1.8.0";

function kubernetes(name: ToolName, versionArguments: readonly string[] = ["--version"]): Tool {
  return {
    name,
    module: "kubernetes",
    package: `k8s.io/kubernetes/cmd/${name}`,
    version: kubernetesVersion,
    linkerFlags: kubernetesFlags,
    versionArguments,
    accepts: "patch",
  };
}

function kwok(name: ToolName): Tool {
  return {
    name,
    module: "kwok",
    package: `sigs.k8s.io/kwok/cmd/${name}`,
    version: "0.8.0",
    linkerFlags: stripped,
    versionArguments: ["--version"],
    accepts: "patch",
  };
}

/** In the order in which they are built: within a module the largest first, since it compiles what the others share. */
export const catalogue: readonly Tool[] = [
  kubernetes("kube-apiserver"),
  kubernetes("kube-controller-manager"),
  kubernetes("kube-scheduler"),
  kubernetes("kubectl", ["version", "--client"]),
  {
    name: "etcd",
    module: "kubernetes",
    package: "go.etcd.io/etcd/server/v3",
    version: "3.6.8",
    linkerFlags: stripped,
    versionArguments: ["--version"],
    accepts: "patch",
  },
  kwok("kwokctl"),
  kwok("kwok"),
  {
    name: "pulumi",
    module: "pulumi",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    version: pulumiVersion,
    linkerFlags: `${stripped} -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pulumiVersion}`,
    versionArguments: ["version"],
    accepts: "later",
  },
  {
    name: "versitygw",
    module: "versitygw",
    package: "github.com/versity/versitygw/cmd/versitygw",
    version: versitygwVersion,
    linkerFlags: `${stripped} -X main.Version=${versitygwVersion}`,
    versionArguments: ["--version"],
    accepts: "patch",
  },
];

const actionlintVersion = "1.7.12";

/** The linter of GitHub's workflows. */
export const actionlint: Tool<"actionlint"> = {
  name: "actionlint",
  module: "actionlint",
  package: "github.com/rhysd/actionlint/cmd/actionlint",
  version: actionlintVersion,
  linkerFlags: `${stripped} -X github.com/rhysd/actionlint.version=${actionlintVersion}`,
  versionArguments: ["-version"],
  accepts: "patch",
};

/** What serves the pages of starter apps. */
export const caddy: Tool<"caddy"> = {
  name: "caddy",
  module: "caddy",
  package: "github.com/caddyserver/caddy/v2/cmd/caddy",
  version: "2.11.9",
  linkerFlags: stripped,
  versionArguments: ["version"],
  accepts: "later",
};

const helmVersion = "4.3.1";

/** The benchmark's second peer. */
export const helm: Tool<"helm"> = {
  name: "helm",
  module: "helm",
  package: "helm.sh/helm/v4/cmd/helm",
  version: helmVersion,
  linkerFlags: `${stripped} -X helm.sh/helm/v4/internal/version.version=v${helmVersion}`,
  versionArguments: ["version", "--template={{.Version}}"],
  accepts: "later",
};

/** What a sandbox does without, so that it is built only when a test or the benchmark asks for it. */
export const onDemand: readonly Tool<string>[] = [actionlint, caddy, helm];

/** Where each tool is: found on the PATH or built. */
export type ToolPaths = Readonly<Record<ToolName, string>>;
