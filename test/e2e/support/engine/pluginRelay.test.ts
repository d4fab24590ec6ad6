import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { kubernetesPluginFolder } from "../../../../scaffold/sandbox/plugins/official.ts";
import { removeSandbox } from "../../../../scaffold/sandbox/sandbox.ts";
import { testSandboxNamed } from "../testSandboxes.ts";
import { relayStandIns } from "./pluginRelay.ts";

describe("a stand-in in the test's own process", () => {
  const sandbox = testSandboxNamed("relay");
  const folder = kubernetesPluginFolder(sandbox.pulumiHome);
  const scripts = {
    kubernetes: join(folder, "pulumi-resource-kubernetes"),
    language: join(sandbox.bin, "pulumi-language-nodejs"),
  };
  let relay: Awaited<ReturnType<typeof relayStandIns>>;

  before(async () => {
    for (const each of [folder, sandbox.bin]) await mkdir(each, { recursive: true });
    for (const script of Object.values(scripts)) await writeFile(script, "");
    relay = await relayStandIns(sandbox, { kubernetes: "stand-in", languageHost: "stand-in" });
  });
  after(async () => {
    relay.end();
    await removeSandbox(sandbox);
  });

  for (const [kind, script] of Object.entries(scripts)) {
    it(`ends with its script when Pulumi is killed: ${kind}`, async function () {
      this.timeout(30_000);
      // As Pulumi, this shell gives the script a standard input that stays open.
      const pulumi = spawn("sh", ["-c", `'${script}' 127.0.0.1:1; exit`], { stdio: ["pipe", "pipe", "inherit"] });
      const output = createInterface({ input: pulumi.stdout });
      const [port] = (await once(output, "line")) as [string];
      const outcome = async () => {
        const socket = connect(Number(port), "127.0.0.1");
        const answer = once(socket, "connect").then(
          () => "open",
          ({ code }) => code,
        );
        return await answer.finally(() => socket.destroy());
      };
      assert.equal(await outcome(), "open");
      pulumi.kill("SIGKILL");
      // The script holds our end of it open.
      await once(pulumi, "close");
      // Its server ends a moment after its connection to the script.
      while ((await outcome()) !== "ECONNREFUSED") await setTimeout(20);
    });
  }
});
