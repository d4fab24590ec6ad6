import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, it } from "mocha";
import { Interrupted, Problem } from "../../../commands/common/problem.ts";
import { cachedTool } from "../../../sandbox/tools/cache.ts";
import { actionlint, type ToolPaths, toolsOf } from "../../../sandbox/tools/catalogue.ts";
import { type ToolchainOptions, takeInventory } from "../../../sandbox/tools/inventory.ts";
import { completeTools, toolOnDemand } from "../../../sandbox/tools/toolchain.ts";
import { silent, type Undownloaded } from "../../../sandbox/tools/toolEvents.ts";
import { listening } from "../../support/listening.ts";
import { useFolder } from "../../unit/testFolder.ts";

/** Stands in for Go, with nothing else on the PATH: logs each build and, like `go run -exec cp`, leaves a program at its last argument. */
const goodGo = `
if [ "$1" = env ]; then
  echo "\${FAKE_VERSION:-go1.26.8}"
  exit 0
fi
for last; do :; done
echo "$last" >>"$FAKE_ROOT/builds"
BUILD
printf 'whole' >"$last"
`;

describe("the tool chain", () => {
  const folder = useFolder();
  let root: string;
  let options: ToolchainOptions;
  let interrupt: AbortController;
  let built: readonly Undownloaded[] = [];

  beforeEach(async () => {
    root = folder.path;
    interrupt = new AbortController();
    options = {
      environment: { PATH: join(root, "bin"), FAKE_ROOT: root, KUBECAMP_DOWNLOADS: "off" },
      signal: interrupt.signal,
      cache: join(root, "cache"),
    };
    await fakeGo();
  });

  async function fake(name: string, script: string): Promise<void> {
    await mkdir(join(root, "bin"), { recursive: true });
    await writeFile(join(root, "bin", name), `#!/bin/sh\n${script}`);
    await chmod(join(root, "bin", name), 0o755);
  }
  const fakeGo = (build = ":"): Promise<void> => fake("go", goodGo.replace("BUILD", build));

  async function complete(): Promise<ToolPaths> {
    return completeTools(await takeInventory(toolsOf(), options), options, {
      ...silent,
      onBuilding: (tools) => {
        built = tools;
      },
    });
  }
  const builds = async (): Promise<string[]> =>
    (await readFile(join(root, "builds"), "utf8").catch(() => "")).trimEnd().split("\n").filter(Boolean);
  const problem = async (): Promise<Problem> => {
    const error: unknown = await complete().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof Problem, String(error));
    return error;
  };
  const leftovers = async (): Promise<string[]> =>
    (await readdir(join(root, "cache"), { recursive: true })).filter((file) => /partial|lock/.test(file));

  it("builds every tool once, whole, and none again", async () => {
    const tools = await complete();
    for (const path of Object.values(tools)) {
      assert.equal(await readFile(path, "utf8"), "whole");
    }
    await complete();
    assert.equal((await builds()).length, toolsOf().length);
    assert.deepEqual(await leftovers(), []);
  });

  it("builds what a sandbox does without when it is asked for, and nothing else then", async () => {
    await complete();
    assert.ok(!(await builds()).some((file) => file.includes("actionlint")));
    const before = (await builds()).length;
    const tool = await toolOnDemand(actionlint, options);
    assert.equal(await readFile(tool, "utf8"), "whole");
    assert.equal(await toolOnDemand(actionlint, options), tool);
    assert.equal((await builds()).length, before + 1);
  });

  it("builds what can't be downloaded, and says why", async () => {
    // Each file is the tool's name, so that the checksums are known; kwok's are pinned, and there is no pulumi.
    const server = createServer((request, response) => {
      const path = request.url ?? "";
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (path.includes("/get.pulumi.com/")) {
        response.writeHead(404).end();
      } else if (name.endsWith(".sha256")) {
        response.end(createHash("sha256").update(name.replace(".sha256", "")).digest("hex"));
      } else {
        response.end(name);
      }
    });
    const mirror = `http://127.0.0.1:${await listening(server)}`;
    options = { ...options, environment: { ...options.environment, KUBECAMP_DOWNLOADS: mirror } };
    const tools = await complete();
    server.close();
    assert.equal(await readFile(tools["kube-scheduler"], "utf8"), "kube-scheduler");
    assert.equal(await readFile(tools.kwok, "utf8"), "whole");
    assert.equal(await readFile(tools.pulumi, "utf8"), "whole");
    assert.equal((await builds()).length, built.length);
    const why = new Map(built.map((tool) => [tool.tool, tool.why]));
    assert.match(why.get("kwok") ?? "", /^https:\/\/github\.com\/.*\/kwok-.* has the checksum \w{64}, not \w{64}$/);
    assert.equal(why.has("kube-scheduler"), false);
    assert.match(why.get("pulumi") ?? "", / has no checksum of pulumi-v.*\.tar\.gz$/);
    assert.deepEqual(await leftovers(), []);
  });

  it("builds once when two sandboxes start at the same time", async () => {
    await fakeGo("/bin/sleep 0.05");
    await Promise.all([complete(), complete()]);
    assert.equal((await builds()).length, toolsOf().length);
  });

  it("takes a tool from the PATH when its version will do", async () => {
    await fake("etcd", "echo etcd Version: 3.6.1");
    await fake("kubectl", "echo Client Version: v1.35.0");
    const tools = await complete();
    assert.equal(tools.etcd, join(root, "bin", "etcd"));
    assert.ok(tools.kubectl.startsWith(join(root, "cache")), tools.kubectl);
  });

  it("never takes a half-built tool for a whole one", async () => {
    const [tool] = toolsOf();
    assert.ok(tool);
    const half = `${cachedTool(tool, options.cache)}.partial-1`;
    await mkdir(dirname(half), { recursive: true });
    await writeFile(half, "ha");
    const tools = await complete();
    assert.equal(await readFile(tools[tool.name], "utf8"), "whole");
    assert.equal(existsSync(half), false);
  });

  it("says that Go is missing", async () => {
    await rm(join(root, "bin", "go"));
    assert.equal((await problem()).message, "Go is missing.");
  });

  it("says that Go is too old, and which it is", async () => {
    options = { ...options, environment: { ...options.environment, FAKE_VERSION: "go1.22.1" } };
    const { message, why } = await problem();
    assert.equal(message, "Go is too old.");
    assert.match(why, /go1\.22\.1.*1\.26\.0/);
  });

  it("shows what Go said when a build fails, and goes on from there the next time", async () => {
    await fakeGo(`case "$last" in */kwok.*) echo 'cannot find the thing' >&2; exit 1;; esac`);
    const { message, why } = await problem();
    assert.equal(message, "kwok 0.8.0 could not be built.");
    assert.equal(why, "cannot find the thing");
    assert.deepEqual(await leftovers(), []);
    await fakeGo();
    await complete();
    assert.equal((await builds()).filter((file) => file.includes("/kwokctl.")).length, 1);
  });

  it("says that the disk is full when it is", async () => {
    await fakeGo("echo 'write /x: no space left on device' >&2; exit 1");
    const { message, remedy } = await problem();
    assert.match(message, /^The disk is full/);
    assert.match(remedy, /a first build takes 9 GiB/);
  });

  it("stops at Ctrl-C, and the second try works", async () => {
    await fakeGo(`printf ha >"$last"; exec /bin/sleep 30`);
    const running = complete();
    while ((await builds()).length === 0) {
      await sleep(20);
    }
    interrupt.abort();
    await assert.rejects(running, Interrupted);
    assert.deepEqual(await leftovers(), []);
    await fakeGo();
    options = { ...options, signal: new AbortController().signal };
    await complete();
  });
});
