import assert from "node:assert/strict";
import { actionlint, caddy, catalogue, helm } from "../../../../scaffold/sandbox/tools/catalogue.ts";
import { checksums } from "../../../../scaffold/sandbox/tools/checksums.ts";
import { buildingTitle, firstBuild } from "../../../../scaffold/sandbox/tools/firstBuild.ts";
import { releaseOf } from "../../../../scaffold/sandbox/tools/releases.ts";

const machines = (["linux", "darwin"] as const).flatMap((os) => ["x64", "arm64"].map((arch) => [os, arch] as const));
const tools = [...catalogue, actionlint, caddy, helm];
const all = machines.flatMap(([os, arch]) =>
  tools.map((tool) => ({ machine: `${os} ${arch}`, tool, release: releaseOf(tool, os, arch) })),
);

describe("the releases of tools", () => {
  it("are there for every tool of the sandbox on Linux", () => {
    assert.deepEqual(
      all.filter(({ machine, release }) => machine.startsWith("linux") && release === undefined),
      [],
    );
    for (const [os, arch] of [
      ["win32", "x64"],
      ["linux", "riscv64"],
    ] as const) {
      assert.equal(releaseOf(actionlint, os, arch), undefined);
    }
  });

  it("are on macOS those that can be had there", () => {
    const missing = all.filter(({ machine, release }) => machine === "darwin arm64" && release === undefined);
    assert.deepEqual(
      missing.map(({ tool }) => tool.name),
      ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"],
    );
  });

  it("have the version of the catalogue, and come encrypted", () => {
    for (const { tool, release } of all) {
      if (release === undefined) continue;
      for (const address of [release.url, release.sums ?? release.url]) {
        assert.ok(
          (address.startsWith("https://") && address.includes(`v${tool.version}/`)) ||
            address.includes(`-v${tool.version}-`),
          address,
        );
      }
    }
  });

  it("are where their publishers have them", () => {
    const linux = all.filter(({ machine }) => machine === "linux x64");
    const shown = ["kube-scheduler", "etcd", "pulumi", "versitygw"].map(
      (name) => linux.find(({ tool }) => tool.name === name)?.release,
    );
    assert.deepEqual(shown, [
      {
        url: "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kube-scheduler",
        sums: "https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kube-scheduler.sha256",
      },
      {
        url: "https://github.com/etcd-io/etcd/releases/download/v3.6.8/etcd-v3.6.8-linux-amd64.tar.gz",
        sums: "https://github.com/etcd-io/etcd/releases/download/v3.6.8/SHA256SUMS",
        members: { etcd: "etcd-v3.6.8-linux-amd64/etcd" },
      },
      {
        url: "https://get.pulumi.com/releases/sdk/pulumi-v3.259.0-linux-x64.tar.gz",
        sums: "https://github.com/pulumi/pulumi/releases/download/v3.259.0/pulumi-3.259.0-checksums.txt",
        members: { pulumi: "pulumi/pulumi", "pulumi-language-nodejs": "pulumi/pulumi-language-nodejs" },
      },
      {
        url: "https://github.com/versity/versitygw/releases/download/v1.8.0/versitygw_v1.8.0_Linux_x86_64.tar.gz",
        checksum: "2ba2c734d10d2c4e651d03182cb4b246656bc735a2f282db7b0b73fba6073467",
        sums: "https://github.com/versity/versitygw/releases/download/v1.8.0/checksums.txt",
        members: { versitygw: "versitygw_v1.8.0_Linux_x86_64/versitygw" },
      },
    ]);
  });

  it("use every checksum that is pinned: none is left of an earlier version", () => {
    const used = all.flatMap(({ release }) => (release?.checksum === undefined ? [] : release.url));
    assert.deepEqual(Object.keys(checksums).toSorted(), used.toSorted());
    for (const checksum of Object.values(checksums)) assert.match(checksum, /^[0-9a-f]{64}$/);
  });
});

describe("the title of a build", () => {
  const title = (count: number) =>
    `Tools: ${count} to build, ${firstBuild.time} the first time, seconds once Go has them cached`;

  it("names what keeps several tools from being downloaded once", () => {
    const pulumi = { why: "get.pulumi.com does not answer", host: "get.pulumi.com" };
    const gitHub = { why: "github.com does not answer", host: "github.com" };
    assert.equal(
      buildingTitle([gitHub, pulumi, gitHub, { why: "no release is known for linux/riscv64" }]),
      `${title(4)} (get.pulumi.com does not answer, github.com does not answer)`,
    );
    const off = { why: "KUBECAMP_DOWNLOADS is 'off'" };
    assert.equal(buildingTitle([off, off]), `${title(2)} (KUBECAMP_DOWNLOADS is 'off')`);
  });

  it("leaves what concerns one tool to its line", () => {
    assert.equal(buildingTitle([{ why: "https://example.org/x answers 404" }]), title(1));
  });
});
