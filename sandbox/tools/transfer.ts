import { createHash } from "node:crypto";
import { open as openFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";

/** Milliseconds that a transfer may take. */
export interface Patience {
  /** Until a host accepts a connection. */
  readonly connect: number;
  /** From one piece to the next. */
  readonly silence: number;
  /** In all. */
  readonly whole: number;
}

/** Why a tool can't be downloaded, in words for people. */
export class NotDownloaded extends Error {
  /** The host that accepts no connection, if that is why. */
  readonly host: string | undefined;
  constructor(why: string, host?: string) {
    super(why);
    this.host = host;
  }
}

/** Whether a host can be reached, tried once: each look-up of a name that hangs holds one of Node's few threads. */
export type Hosts = Map<string, Promise<void>>;

export interface TransferOptions {
  /** Base address of a mirror, which has a folder for each host. */
  readonly mirror: string | undefined;
  readonly patience: Patience;
  readonly hosts: Hosts;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export function fetchText(url: string, transfer: TransferOptions): Promise<string> {
  return get(url, transfer, (response) => response.text());
}

/** Writes what is at the address into a file, and returns its digest in hexadecimal digits. */
export function fetchFile(
  url: string,
  path: string,
  algorithm: "sha256" | "sha512",
  transfer: TransferOptions,
): Promise<string> {
  return get(url, transfer, async (response, onPiece) => {
    const digest = createHash(algorithm);
    const size = response.headers.get("content-length");
    let received = 0;
    let shown = -1;
    const file = await openFile(path, "w");
    try {
      for await (const piece of response.body ?? []) {
        onPiece();
        digest.update(piece);
        received += piece.length;
        await file.writeFile(piece);
        const megabytes = inMegabytes(received);
        if (megabytes === shown) {
          continue;
        }
        shown = megabytes;
        transfer.onProgress(`downloaded ${megabytes} of ${size === null ? "?" : inMegabytes(Number(size))} MB`);
      }
    } catch (error) {
      // For a broken connection, fetch says only "terminated".
      if (!(error instanceof TypeError)) {
        throw error;
      }
      throw new NotDownloaded(`the connection to ${hostOf(url)} broke after ${received} of ${size ?? "?"} bytes`);
    } finally {
      await file.close();
    }
    return digest.digest("hex");
  });
}

async function get<T>(
  url: string,
  { mirror, patience, hosts, signal }: TransferOptions,
  read: (response: Response, onPiece: () => void) => Promise<T>,
): Promise<T> {
  const address = mirror === undefined ? url : `${mirror}/${url.replace("https://", "")}`;
  await reach(new URL(address), patience.connect, hosts);
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), patience.silence);
  const late = AbortSignal.timeout(patience.whole);
  try {
    const response = await fetch(address, { signal: AbortSignal.any([signal, silent.signal, late]) });
    if (!response.ok) {
      throw new NotDownloaded(`${address} answers ${response.status}`);
    }
    if (!staysEncrypted(address, response.url)) {
      throw new NotDownloaded(`${address} leads to ${response.url}, which is not encrypted`);
    }
    return await read(response, () => timer.refresh());
  } catch (error) {
    if (silent.signal.aborted) {
      throw new NotDownloaded(`${hostOf(address)} sent nothing for ${seconds(patience.silence)}`);
    }
    if (late.aborted) {
      throw new NotDownloaded(`${hostOf(address)} took more than ${seconds(patience.whole)}`);
    }
    if (error instanceof TypeError) {
      throw new NotDownloaded(`${hostOf(address)}: ${reasonOf(error)}`);
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tries a connection before fetch does, which would wait for ten seconds where packets are dropped.
 * @param open for tests
 * @throws NotDownloaded if the host doesn't accept one within `limit` milliseconds
 */
export async function reach(
  { host, hostname, port, protocol }: URL,
  limit: number,
  hosts: Hosts,
  open: (to: { host: string; port: number }) => Socket = connect,
): Promise<void> {
  const known = hosts.get(host);
  if (known !== undefined) {
    return await known;
  }
  const socket = open({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (): void => reject(new NotDownloaded(`${hostname} does not answer`, hostname));
  const timer = setTimeout(fail, limit);
  socket.once("connect", resolve).on("error", fail);
  const reached = promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
  hosts.set(host, reached);
  await reached;
}

/** A mirror may be plain, but no publisher's address leads from https to http. */
export function staysEncrypted(address: string, ledTo: string): boolean {
  return !address.startsWith("https:") || ledTo.startsWith("https:");
}

function hostOf(url: string): string {
  return new URL(url).hostname;
}

/** fetch says "fetch failed", and why in the cause. */
function reasonOf({ message, cause }: TypeError): string {
  return cause instanceof Error ? cause.message : message;
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
