import type { Tool } from "./catalogue.ts";
import { checksums } from "./checksums.ts";

/** A file that the publisher of tools offers for one kind of machine. */
export interface Release {
  readonly url: string;
  /** SHA-256 in hexadecimal digits, pinned in this repository. */
  readonly checksum?: string;
  /** Address of the publisher's file of checksums. Without it, a file that has no pinned checksum is not used. */
  readonly sums?: string;
  /** The files to keep of a `.tar.gz`: their paths within it, by the names they get. Default: the file is the program itself. */
  readonly members?: Readonly<Record<string, string>>;
}

/** Names of machines in releases, by those of `uname` and Node. */
interface Platform {
  readonly os: "linux" | "darwin";
  readonly cpu: "amd64" | "arm64";
}

type Publish = (tool: Tool<string>, platform: Platform) => Release | undefined;

const kubernetes: Publish = ({ name, version }, { os, cpu }) => {
  // The control plane is published for Linux alone.
  if (os !== "linux" && name !== "kubectl") {
    return undefined;
  }
  const url = `https://dl.k8s.io/release/v${version}/bin/${os}/${cpu}/${name}`;
  return { url, sums: `${url}.sha256` };
};

const etcd: Publish = ({ version }, { os, cpu }) => {
  // For macOS there is a zip alone.
  if (os !== "linux") {
    return undefined;
  }
  const folder = `etcd-v${version}-${os}-${cpu}`;
  const releases = gitHub("etcd-io/etcd", version);
  return { url: `${releases}/${folder}.tar.gz`, sums: `${releases}/SHA256SUMS`, members: { etcd: `${folder}/etcd` } };
};

/** Publishes no checksums: the pinned ones alone count. */
const kwok: Publish = ({ name, version }, { os, cpu }) => ({
  url: `${gitHub("kubernetes-sigs/kwok", version)}/${name}-${os}-${cpu}`,
});

/** With the language host, which Pulumi searches for beside its own file. */
const pulumi: Publish = ({ version }, { os, cpu }) => ({
  url: `https://get.pulumi.com/releases/sdk/pulumi-v${version}-${os}-${cpu === "amd64" ? "x64" : cpu}.tar.gz`,
  sums: `${gitHub("pulumi/pulumi", version)}/pulumi-${version}-checksums.txt`,
  members: { "pulumi-language-nodejs": "pulumi/pulumi-language-nodejs", pulumi: "pulumi/pulumi" },
});

const versitygw: Publish = ({ version }, { os, cpu }) => {
  const folder = `versitygw_v${version}_${os === "linux" ? "Linux" : "Darwin"}_${cpu === "amd64" ? "x86_64" : cpu}`;
  const releases = gitHub("versity/versitygw", version);
  return {
    url: `${releases}/${folder}.tar.gz`,
    sums: `${releases}/checksums.txt`,
    members: { versitygw: `${folder}/versitygw` },
  };
};

const actionlint: Publish = ({ version }, { os, cpu }) => {
  const releases = gitHub("rhysd/actionlint", version);
  return {
    url: `${releases}/actionlint_${version}_${os}_${cpu}.tar.gz`,
    sums: `${releases}/actionlint_${version}_checksums.txt`,
    members: { actionlint: "actionlint" },
  };
};

const caddy: Publish = ({ version }, { os, cpu }) => {
  const releases = gitHub("caddyserver/caddy", version);
  return {
    url: `${releases}/caddy_${version}_${os === "linux" ? "linux" : "mac"}_${cpu}.tar.gz`,
    sums: `${releases}/caddy_${version}_checksums.txt`,
    members: { caddy: "caddy" },
  };
};

const helm: Publish = ({ version }, { os, cpu }) => {
  const url = `https://get.helm.sh/helm-v${version}-${os}-${cpu}.tar.gz`;
  return { url, sums: `${url}.sha256sum`, members: { helm: `${os}-${cpu}/helm` } };
};

const published: Readonly<Record<string, Publish>> = {
  "kube-apiserver": kubernetes,
  "kube-controller-manager": kubernetes,
  "kube-scheduler": kubernetes,
  kubectl: kubernetes,
  etcd,
  kwok,
  kwokctl: kwok,
  pulumi,
  versitygw,
  actionlint,
  caddy,
  helm,
};

/** The release of a tool for a machine that Node describes so, or undefined if none is known. */
export function releaseOf(
  tool: Tool<string>,
  os: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): Release | undefined {
  const cpu = arch === "x64" ? "amd64" : arch;
  if ((os !== "linux" && os !== "darwin") || (cpu !== "amd64" && cpu !== "arm64")) {
    return undefined;
  }
  const release = published[tool.name]?.(tool, { os, cpu });
  if (release === undefined) {
    return undefined;
  }
  const checksum = checksums[release.url];
  return checksum === undefined ? release : { ...release, checksum };
}

function gitHub(repository: string, version: string): string {
  return `https://github.com/${repository}/releases/download/v${version}`;
}
