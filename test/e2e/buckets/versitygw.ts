import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import { sandboxes } from "../../../sandbox/paths.ts";
import { versitygw } from "../../../sandbox/tools/catalogue.ts";
import { toolOnDemand } from "../../../sandbox/tools/toolchain.ts";
import { clusterTimeout } from "../support/cluster.ts";

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A real S3 server on 127.0.0.1, with its data in a folder of its own. */
export class Versitygw {
  readonly root: Keys = { accessKeyId: "ROOT", secretAccessKey: `root-${randomBytes(15).toString("hex")}` };
  readonly #port = randomInt(10_000, 32_768);
  #folder = "";
  #process: ChildProcess | undefined;
  #said = "";

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Where it keeps objects: one folder for each bucket. */
  get data(): string {
    return join(this.#folder, "data");
  }

  /** Starts it, with the data that it had. */
  async start(): Promise<void> {
    const program = await toolOnDemand(versitygw, { environment: process.env, signal: new AbortController().signal });
    // Not where temporary files go: that may be a disk in memory, without the attributes that it keeps on files.
    await mkdir(sandboxes, { recursive: true });
    if (this.#folder === "") this.#folder = await mkdtemp(join(sandboxes, `test-${process.pid}-s3-`));
    const [iam, versions] = [join(this.#folder, "iam"), join(this.#folder, "versions")];
    for (const folder of [this.data, iam, versions]) await mkdir(folder, { recursive: true });
    const port = `127.0.0.1:${this.#port}`;
    const child = spawn(
      program,
      ["--port", port, "--iam-dir", iam, "--quiet", "posix", "--versioning-dir", versions, this.data],
      {
        env: { ROOT_ACCESS_KEY_ID: this.root.accessKeyId, ROOT_SECRET_ACCESS_KEY: this.root.secretAccessKey },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (this.#said += chunk));
    this.#process = child;
    while (!(await this.#answers())) {
      assert.equal(child.exitCode, null, `versitygw has ended: ${this.#said}`);
      await sleep(50);
    }
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async dispose(): Promise<void> {
    await this.stop();
    if (this.#folder !== "") await rm(this.#folder, { recursive: true, force: true });
  }

  /** A client with somebody's keys, by default the administrator's. It does not try again. */
  client(keys: Keys = this.root): S3Client {
    const { endpoint } = this;
    // A copy, because the client writes into what it is given.
    const credentials = { ...keys };
    return new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials, maxAttempts: 1 });
  }

  async #answers(): Promise<boolean> {
    return fetch(this.endpoint).then(
      () => true,
      () => false,
    );
  }
}

/** A server for the suite that calls this. */
export function useVersitygw(): Versitygw {
  const server = new Versitygw();
  before(async function () {
    // On a fresh machine it is built first.
    this.timeout(clusterTimeout);
    await server.start();
  });
  after(() => server.dispose());
  return server;
}
