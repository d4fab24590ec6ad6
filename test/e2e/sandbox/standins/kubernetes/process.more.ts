import { equal, match, ok } from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../../../../sandbox/processes.ts";
import { listeningAddresses } from "../../../support/cluster/listeningAddresses.ts";
import { main, Plugin } from "./support/plugin.ts";

describe("the stand-in's process", () => {
  const plugins: Plugin[] = [];
  const start = async (): Promise<Plugin> => {
    const plugin = await Plugin.start();
    plugins.push(plugin);
    return plugin;
  };
  let shared: Promise<Plugin> | undefined;
  /** One for the tests that don't end it. */
  const lasting = (): Promise<Plugin> => {
    shared ??= start();
    return shared;
  };
  const exitOf = async (plugin: Plugin): Promise<unknown> => {
    const late = sleep(5000, "still there", { ref: false });
    return await Promise.race([once(plugin.process, "exit").then(([code]) => code), late]);
  };
  after(() => Promise.all(plugins.map((plugin) => plugin.stop())));

  it("says in Pulumi's output, once, that it is not the official plugin", async () => {
    const plugin = await lasting();
    await plugin.configure({ kubeconfig: "{}" });
    await plugin.configure({ kubeconfig: "{}" });
    const said = plugin.messages.filter(({ text }) => text.includes("not the official Kubernetes plugin"));
    equal(said.length, 1);
    equal(said[0]?.ephemeral, false);
  });

  it("listens on loopback only", async () => {
    const plugin = await lasting();
    const addresses = await listeningAddresses(plugin.process.pid ?? 0);
    ok(addresses.length > 0);
    for (const address of addresses) {
      equal(address, "0100007F");
    }
  });

  it("ends when its input closes, as it does when Pulumi is killed", async () => {
    const plugin = await start();
    plugin.process.stdin?.end();
    equal(await exitOf(plugin), 0);
  });

  it("ends when its parent is gone, whatever its input", async () => {
    const script = `"${process.execPath}" "${main}" 127.0.0.1:1 </dev/null & echo $!; sleep 60`;
    const shell = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    const output: string[] = [];
    shell.stdout.on("data", (chunk: Buffer) => output.push(...String(chunk).trim().split("\n")));
    while (output.length < 2) {
      await sleep(20);
    }
    const pid = Number(output[0]);
    ok(isAlive(pid));
    shell.kill("SIGKILL");
    for (let tries = 0; isAlive(pid) && tries < 50; tries++) {
      await sleep(100);
    }
    const survived = isAlive(pid);
    if (survived) {
      process.kill(pid, "SIGKILL");
    }
    equal(survived, false);
  });

  it("is no command for a person", async () => {
    const child = spawn(process.execPath, [main], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    const [code] = await once(child, "exit");
    equal(code, 2);
    match(said, /Pulumi starts this plugin, not a person/);
  });
});
