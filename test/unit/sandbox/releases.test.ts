import assert from "node:assert/strict";
import { actionlint, caddy, catalogue, helm } from "../../../sandbox/tools/catalogue.ts";
import { checksums } from "../../../sandbox/tools/checksums.ts";
import { releaseOf } from "../../../sandbox/tools/releases.ts";

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
      [...new Set(missing.map(({ tool }) => tool.name))],
      ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"],
    );
  });

  it("have the version of the catalogue, and come encrypted", () => {
    for (const { tool, release } of all) {
      if (release === undefined) {
        continue;
      }
      for (const address of [release.url, release.sums ?? release.url]) {
        assert.ok(
          (address.startsWith("https://") && address.includes(`v${tool.version}/`)) ||
            address.includes(`-v${tool.version}-`),
          address,
        );
      }
    }
  });

  it("use every checksum that is pinned: none is left of an earlier version", () => {
    const used = all.flatMap(({ release }) => (release?.checksum === undefined ? [] : release.url));
    assert.deepEqual(Object.keys(checksums).toSorted(), used.toSorted());
    for (const checksum of Object.values(checksums)) {
      assert.match(checksum, /^[0-9a-f]{64}$/);
    }
  });
});
