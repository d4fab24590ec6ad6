import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "mocha";
import { environmentOf, exportLines } from "../../../sandbox/environment.ts";
import { packageBinaries } from "../../../sandbox/paths.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { toolCache } from "../../../sandbox/tools/cache.ts";

const sandbox: Sandbox = {
  name: "try",
  folder: "/s",
  kubeconfig: "/s/kubeconfig",
  bin: "/s/bin",
  pulumiHome: "/s/home",
  pulumiState: "/s/state",
};

describe("the environment of a sandbox", () => {
  it("puts its own tools and Node first and points Pulumi and kubectl at itself", () => {
    assert.deepEqual(environmentOf(sandbox, { kubernetes: "official", languageHost: "official" }, "/usr/bin:/bin"), {
      PATH: `/s/bin:${packageBinaries}:/usr/bin:/bin`,
      KUBECONFIG: "/s/kubeconfig",
      KUBECACHEDIR: "/s/kubectl-cache",
      KUBECAMP_SANDBOX: "try",
      PULUMI_HOME: "/s/home",
      PULUMI_BACKEND_URL: "file:///s/state?metadata=skip",
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_SKIP_UPDATE_CHECK: "1",
      NODE_COMPILE_CACHE: join(toolCache, "compiled"),
    });
  });

  it("keeps Pulumi from looking for plugins on the network when a stand-in serves", () => {
    for (const [kubernetes, languageHost] of [
      ["stand-in", "official"],
      ["official", "stand-in"],
    ] as const) {
      const environment = environmentOf(sandbox, { kubernetes, languageHost }, "");
      assert.equal(environment.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION, "true");
    }
  });

  it("survives a shell's eval, whatever is in it", () => {
    const value = `it's "a" $HOME \`x\` \\ path`;
    const script = `${exportLines({ KUBECAMP_TRIAL: value })}\nprintf %s "$KUBECAMP_TRIAL"`;
    assert.equal(execFileSync("sh", ["-c", script], { encoding: "utf8" }), value);
  });
});
