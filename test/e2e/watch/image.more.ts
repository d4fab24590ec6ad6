import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, copyFile, link, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { freePort } from "../../../sandbox/cluster/ports.ts";
import { repository } from "../../../sandbox/paths.ts";
import { manifestOf, podTemplate } from "../../unit/deploy/manifests.ts";
import { imageFolder, productionLock, removeImage } from "../support/imageFolder.ts";

const { spec } = podTemplate();
const [container] = spec.containers;
const [folders] = spec.initContainers;

/**
 * The image's content, as a plain folder, run as in its Pod: by the same commands, with the same environment and
 * nothing else of this machine's, and as user 1000 where the tests may change it. Pulumi's part of the image can't be had
 * here: test/e2e/watch/manifests.more.ts has the same folder bring up members, with the Pulumi of the tests.
 */
describe("the image of kubecamp watch", () => {
  let root = "";
  let watch: ChildProcess | undefined;
  let output = "";
  const as = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
  /** A path of the Pod's on this machine. */
  const here = (text: string) =>
    text.replaceAll(/(?<![\w.])\/(kubecamp|etc|home|project|opt|tmp)(?=[/ ]|$)/g, `${root}/$1`);
  const env = () => ({
    PATH: join(root, "usr/bin"),
    POD_NAME: "watch-0",
    ...Object.fromEntries(
      container.env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, here(value)]])),
    ),
  });

  before(async function () {
    this.timeout(120_000);
    root = await mkdtemp(join(tmpdir(), "kubecamp-image-"));
    await imageFolder(root);
    await mkdir(join(root, "usr/bin"), { recursive: true });
    for (const name of ["sh", "ln"]) {
      await symlink((await execa("which", [name])).stdout, join(root, "usr/bin", name));
    }
    // User 1000 may not see the repository.
    await link(process.execPath, join(root, "usr/bin/node")).catch(() =>
      copyFile(process.execPath, join(root, "usr/bin/node")),
    );
    for (const { mountPath } of container.volumeMounts) {
      await mkdir(join(root, mountPath), { recursive: true });
      await chown(join(root, mountPath), as.uid ?? process.getuid?.() ?? 0, as.gid ?? process.getgid?.() ?? 0);
    }
    const { data } = manifestOf("ConfigMap", "kubecamp-watch-kubeconfig") as unknown as { data: { config: string } };
    // Nothing listens there: the Pod waits for its Lease.
    const config = data.config.replace("https://kubernetes.default.svc", "http://127.0.0.1:9");
    await writeFile(join(root, "etc/kubecamp-kubeconfig/config"), config.replace(/^ *certificate-authority:.*\n/m, ""));
    await writeFile(join(root, "etc/kubecamp/Pulumi.yaml"), "name: kubecamp\nruntime: nodejs\n");
    await writeFile(
      join(root, "etc/kubecamp/Pulumi.prod.yaml"),
      "config:\n  kubecamp:route: { host: apps.example.org, controller: ingress-nginx }\n  kubecamp:membersFile: lists/members.yaml\n",
    );
    await mkdir(join(root, "etc/kubecamp/lists"));
    await writeFile(join(root, "etc/kubecamp/lists/members.yaml"), "- { member: bob, type: user }\n");
  });
  after(async () => {
    watch?.kill("SIGKILL");
    await removeImage(root);
  });

  it("makes the project's folder from its own files and the stack's", async () => {
    const [shell = "", ...args] = folders.command.map(here);
    const made = await execa(join(root, "usr/bin", shell), args, { ...as, cwd: root, env: env(), extendEnv: false });
    assert.equal(made.exitCode, 0);
    const checked = await execa(
      join(root, "usr/bin/node"),
      [join(root, "kubecamp/bin/kubecamp.mjs"), "members", "check"],
      { ...as, cwd: join(root, "project"), env: env(), extendEnv: false, reject: false },
    );
    assert.equal(checked.exitCode, 0, checked.stderr);
    assert.match(checked.stdout, /prod/);
  });

  it("starts as its Pod has it, answers the Pod's probes and ends when it is told to", async () => {
    const port = await freePort();
    const args = container.args.map(here);
    args[args.indexOf("--address") + 1] = "127.0.0.1";
    args[args.indexOf("--port") + 1] = String(port);
    watch = spawn(join(root, "usr/bin/node"), [join(root, "kubecamp/bin/kubecamp.mjs"), ...args], {
      ...as,
      cwd: join(root, "kubecamp"),
      env: env(),
    });
    for (const stream of [watch.stdout, watch.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    while (!output.includes("waits for lease")) {
      assert.equal(watch.exitCode, null, output);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
      return { status: response.status, text: await response.text() };
    };
    assert.deepEqual(await ask(container.livenessProbe.httpGet.path), { status: 200, text: "ok\n" });
    const ready = await ask(container.readinessProbe.httpGet.path);
    assert.equal(ready.status, 503);
    assert.match(ready.text, /the Lease 'kubecamp-system\/kubecamp-watch' can't be taken/);
    assert.match((await ask("/metrics")).text, /^kubecamp_lease_held 0$/m);
    const exit = once(watch, "exit");
    watch.kill("SIGTERM");
    assert.deepEqual(await exit, [0, null], output);
  });

  it("can't write to its own files", async () => {
    const touch = ["-e", `require("node:fs").writeFileSync(${JSON.stringify(join(root, "kubecamp/index.ts"))}, "")`];
    const written = await execa(join(root, "usr/bin/node"), touch, { ...as, reject: false });
    assert.match(written.stderr, /EACCES/);
  });

  it("has a list of its packages as CycloneDX has it, with all that run and none for development", async () => {
    const { stdout } = await execa("npm", ["run", "-s", "sbom"], { cwd: repository });
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { name: string; version: string }[];
    };
    assert.equal(bomFormat, "CycloneDX");
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const locked = (await productionLock()).map(
      ([path, version]) => `${path.replace(/^.*node_modules\//, "")}@${version}`,
    );
    assert.ok(locked.length > 100);
    assert.deepEqual(
      locked.filter((each) => !listed.has(each)),
      [],
    );
    assert.ok(![...listed].some((each) => /^(mocha|@11ty\/eleventy|@biomejs\/biome)@/.test(each)));
  });
});
