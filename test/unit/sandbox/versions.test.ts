import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isAtLeast, versionIn, willDo } from "../../../sandbox/tools/versions.ts";

describe("the versions of tools", () => {
  it("are found in what the binaries say", () => {
    const said = {
      "v3.259.0": "3.259.0",
      "Kubernetes v1.36.3": "1.36.3",
      "Client Version: v1.32.4-dispatcher\nKustomize Version: v5.5.0": "1.32.4",
      "etcd Version: 3.6.8\nGit SHA: Not provided\nGo Version: go1.26.8": "3.6.8",
      "kwok version v0.8.0 go1.26.8 (linux/amd64)": "0.8.0",
      "command not found": undefined,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(said).map((text) => [text, versionIn(text)])), said);
  });

  it("are compared as numbers", () => {
    assert.equal(isAtLeast("1.100.0", "1.26.0"), true);
    assert.equal(isAtLeast("1.26.0", "1.26.0"), true);
    assert.equal(isAtLeast("1.9.9", "1.26.0"), false);
    assert.equal(isAtLeast("0.99.0", "1.26.0"), false);
  });

  it("on the PATH do within the same minor, and for pulumi from ours on", () => {
    const kubectl = { version: "1.36.3", accepts: "patch" } as const;
    const pulumi = { version: "3.259.0", accepts: "later" } as const;
    assert.deepEqual(
      ["1.36.0", "1.36.9", "1.35.3", "1.37.0", "2.36.3"].map((found) => willDo(found, kubectl)),
      [true, true, false, false, false],
    );
    assert.deepEqual(
      ["3.259.0", "3.301.2", "3.258.9", "4.0.0"].map((found) => willDo(found, pulumi)),
      [true, true, false, false],
    );
  });
});
