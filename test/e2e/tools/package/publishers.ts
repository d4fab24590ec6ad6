import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, realpathSync } from "node:fs";
import { mkdir, stat, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, delimiter, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { execa } from "execa";
import { ownPath } from "../../../../sandbox/paths.ts";
import { kubernetesPluginFolder } from "../../../../sandbox/plugins/official.ts";
import { installStandIns } from "../../../../sandbox/plugins/standIns.ts";
import { type Sandbox, sandboxNamed } from "../../../../sandbox/sandbox.ts";
import { toolsOf } from "../../../../sandbox/tools/catalogue.ts";
import { findExecutable } from "../../../../sandbox/tools/executables.ts";
import { releaseOf } from "../../../../sandbox/tools/releases.ts";
import { listening } from "../../../support/listening.ts";
import { type TestCluster, testKubernetes } from "../../support/cluster.ts";

interface Publishers {
  /** For KUBECAMP_DOWNLOADS. */
  readonly mirror: string;
  /** SHA-256 of what is handed out in place of files with pinned checksums, by the publisher's address. */
  readonly checksums: Readonly<Record<string, string>>;
  readonly end: () => void;
}

const [plugin, host] = ["pulumi-resource-kubernetes", "pulumi-language-nodejs"];

/**
 * Hands out the tools of this machine as their publishers do, and Pulumi's plugins: the official ones, where they are there,
 * or else the repository's stand-ins, which a package doesn't have.
 * @param folder for archives
 */
export async function servePublishers(folder: string, cluster: TestCluster): Promise<Publishers> {
  const plugins = await pluginFiles(folder, cluster);
  const [files, texts] = [new Map<string, string>(), new Map<string, string>()];
  const checksums: Record<string, string> = {};
  const paths: Readonly<Record<string, string>> = { ...cluster.tools, [host]: plugins.host };
  for (const tool of toolsOf(testKubernetes)) {
    const release = releaseOf(tool);
    if (release === undefined) {
      throw new Error(`${tool.name} is not published for this machine`);
    }
    const { url, members, sums, checksum } = release;
    const contents = Object.entries(members ?? {}).map(([name, path]) => [path, paths[name] ?? ""] as const);
    const file = members === undefined ? cluster.tools[tool.name] : await archive(join(folder, tool.name), contents);
    files.set(url, file);
    const digest = await sha256(file);
    if (checksum !== undefined) {
      checksums[url] = digest;
    }
    if (sums !== undefined) {
      texts.set(sums, `${digest}  ${basename(url)}\n`);
    }
  }
  const [, version = ""] = /-(v[\d.]+)$/.exec(kubernetesPluginFolder("")) ?? [];
  const machine = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  files.set(
    `https://get.pulumi.com/releases/plugins/${plugin}-${version}-${machine}.tar.gz`,
    await archive(join(folder, plugin), [[plugin, plugins.kubernetes]]),
  );
  const server = createServer(async (request, response) => {
    const url = `https:/${request.url}`;
    const file = files.get(url);
    if (file !== undefined) {
      response.setHeader("content-length", (await stat(file)).size);
      await pipeline(createReadStream(file), response).catch(() => undefined);
    } else {
      response.writeHead(texts.has(url) ? 200 : 404).end(texts.get(url));
    }
  });
  const mirror = `http://127.0.0.1:${await listening(server)}`;
  return { mirror, checksums, end: () => void server.close() };
}

async function pluginFiles(folder: string, { plugins, tools, sandbox }: TestCluster) {
  const own: Sandbox = { ...sandboxNamed(), bin: join(folder, "bin"), pulumiHome: join(folder, "home") };
  await installStandIns(own, { kubernetes: "stand-in", languageHost: "stand-in" });
  const path = ownPath(process.env);
  const officialHost = findExecutable(host, [dirname(realpathSync(tools.pulumi)), path].join(delimiter));
  const official = findExecutable(plugin, path) ?? join(kubernetesPluginFolder(sandbox.pulumiHome), plugin);
  return {
    kubernetes: plugins.kubernetes === "official" ? official : join(kubernetesPluginFolder(own.pulumiHome), plugin),
    host: (plugins.languageHost === "official" && officialHost) || join(own.bin, host),
  };
}

/** Makes a `.tar.gz`. Nobody gains by a small one here. */
async function archive(folder: string, contents: readonly (readonly [path: string, file: string])[]): Promise<string> {
  for (const [path, file] of contents) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(file, join(folder, path));
  }
  const args = ["-cf", "-", "--dereference", "-C", folder, ...contents.map(([path]) => path)];
  const tar = execa("tar", args, { buffer: false, reject: false });
  await pipeline(tar.stdout, createGzip({ level: 0 }), createWriteStream(`${folder}.tar.gz`));
  const { exitCode } = await tar;
  // 1 says that a file has changed, as the time of a tool's does when another worker links it.
  if (exitCode === undefined || exitCode > 1) {
    throw new Error(`tar ${args.join(" ")}: ${exitCode}`);
  }
  return `${folder}.tar.gz`;
}

async function sha256(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
