import { chmod, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { Interrupted } from "../../commands/common/problem.ts";
import { cachedTool } from "./cache.ts";
import type { Tool } from "./catalogue.ts";
import { type Release, releaseOf } from "./releases.ts";
import { fetchFile, fetchText, type Hosts, NotDownloaded, type Patience, type TransferOptions } from "./transfer.ts";

/** Building every tool takes about as long as one download may in all. */
const patience: Patience = { connect: 1_000, silence: 15_000, whole: 600_000 };

/** Base address of a mirror that has a folder for each host, such as `MIRROR/dl.k8s.io/…`; `off`: no downloads. */
const variable = "KUBECAMP_DOWNLOADS";

export interface DownloadOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly cache: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Reachable hosts so far; downloads of one run share them. */
  readonly hosts?: Hosts;
  /** Default: seconds for a connection and for each piece, ten minutes in all. */
  readonly patience?: Patience;
  /** Default: the tool's own for this machine. */
  readonly release?: Release;
}

/**
 * Downloads a tool into the cache, where it appears once it is whole and its checksum is right.
 * @throws NotDownloaded when it can't be had
 */
export async function downloadTool(tool: Tool<string>, options: DownloadOptions): Promise<void> {
  const mirror = mirrorIn(options.environment);
  if (mirror === "off") {
    throw new NotDownloaded(`${variable} is 'off'`);
  }
  const release = options.release ?? releaseOf(tool);
  if (release === undefined) {
    throw new NotDownloaded(`no release is known for ${process.platform}/${process.arch}`);
  }
  if (release.checksum === undefined && isOpen(mirror)) {
    throw new NotDownloaded(`no checksum of ${release.url} is pinned, and ${mirror} is not encrypted`);
  }
  const transfer: TransferOptions = { patience, hosts: new Map(), ...options, mirror };
  const target = cachedTool(tool, options.cache);
  // Temporary names until all is there.
  const partial = `${target}.partial-${process.pid}`;
  const unpacked = `${target}.unpacked.partial-${process.pid}`;
  await mkdir(dirname(target), { recursive: true });
  try {
    const wanted = release.checksum ?? (await publishedChecksum(release, transfer));
    const found = await fetchFile(release.url, partial, wanted.length === 128 ? "sha512" : "sha256", transfer);
    if (found !== wanted) {
      throw new NotDownloaded(`${release.url} has the checksum ${found}, not ${wanted}`);
    }
    if (release.members === undefined) {
      await chmod(partial, 0o755);
      await rename(partial, target);
    } else {
      await unpack(partial, unpacked, Object.values(release.members));
      // The tool comes last: where it is, what belongs to it is.
      const { [tool.name]: own, ...companions } = release.members;
      for (const [name, path] of Object.entries(companions)) {
        await rename(join(unpacked, path), join(dirname(target), name));
      }
      await rename(join(unpacked, own ?? tool.name), target);
    }
  } catch (error) {
    if (options.signal.aborted) {
      throw new Interrupted();
    }
    throw error instanceof NotDownloaded ? error : new NotDownloaded(String(error));
  } finally {
    await rm(partial, { force: true });
    await rm(unpacked, { recursive: true, force: true });
  }
}

/** Base address of the mirror, without a slash at its end; `off`; or undefined. */
export function mirrorIn(environment: NodeJS.ProcessEnv): string | undefined {
  return environment[variable]?.replace(/\/$/, "") || undefined;
}

/** Whether somebody in between could change what comes from there, and its checksum with it. */
export function isOpen(mirror: string | undefined): boolean {
  if (mirror === undefined || mirror === "off") {
    return false;
  }
  const { protocol, hostname } = new URL(mirror);
  return protocol === "http:" && !["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}

/** From the line that names the file, or from a file with nothing but the checksum. */
async function publishedChecksum({ url, sums }: Release, transfer: TransferOptions): Promise<string> {
  const name = url.slice(url.lastIndexOf("/") + 1);
  if (sums === undefined) {
    throw new NotDownloaded(`no checksum of ${url} is known`);
  }
  for (const line of (await fetchText(sums, transfer)).split("\n")) {
    const [, checksum, file] = /^([0-9a-f]{128}|[0-9a-f]{64})(?:\s+\*?(?:\.\/)?(\S+))?\s*$/i.exec(line) ?? [];
    if (checksum !== undefined && (file === undefined || file === name)) {
      return checksum.toLowerCase();
    }
  }
  throw new NotDownloaded(`${sums} has no checksum of ${name}`);
}

async function unpack(archive: string, folder: string, paths: readonly string[]): Promise<void> {
  await mkdir(folder);
  const result = await execa("tar", ["-xzf", archive, "--no-same-owner", "-C", folder, ...paths], {
    reject: false,
    stdin: "ignore",
  });
  if (result.exitCode !== 0) {
    throw new NotDownloaded(`tar can't unpack it: ${result.stderr || result.shortMessage}`);
  }
}
