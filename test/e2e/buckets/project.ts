import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketSettings } from "../../../buckets/bucket/settings.ts";
import { openServer } from "../../../buckets/s3/server.ts";
import { atItsEnd } from "../../../runs/checkpoints.ts";
import { repository } from "../../../sandbox/paths.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { FolderBackend, keyIn } from "../support/engine/folderBackend.ts";
import type { Keys, TestS3 } from "../support/s3.ts";
import { type CommandResult, type TestSandbox, testSandbox } from "../support/sandbox.ts";
import { decrypt } from "../support/signIn/vault.ts";

/** A bucket's inputs. In policy and grants, `<alice>` stands for the access key of the user `alice`. */
export type DeclaredBucket = Pick<BucketSettings, "bucketName" | "member"> & Partial<BucketSettings>;

/** The program's declarations. Every user in `users` has access to the buckets of the member of that name. */
export interface Declared {
  /** By logical name. */
  readonly buckets?: Readonly<Record<string, DeclaredBucket>>;
  /** Generation of the keys, by user name. */
  readonly users?: Readonly<Record<string, number>>;
  /** Names of suspended members: their buckets give nobody access, and no policy names their keys. */
  readonly inactive?: readonly string[];
  /** Endpoint of the provider. Default: the server's own. */
  readonly endpoint?: string;
}

export interface Run {
  readonly exitCode: number;
  readonly output: string;
}

/** The output of a run that succeeded. */
export function fine({ exitCode, output }: Run): string {
  assert.equal(exitCode, 0, output);
  return output;
}

/** The server's users, as the plugin sees them. */
export function usersOf({ endpoint, accessKeyId, secretAccessKey }: TestS3) {
  const configuration = { endpoint, accessKeyId, secretAccessKey, region: "us-east-1", forcePathStyle: true };
  const opened = openServer({ ...configuration, stack: "", users: "versitygw", usersEndpoint: endpoint });
  return opened.users(new AbortController().signal) ?? assert.fail();
}

/** A Pulumi program with buckets only, run by the real engine with the plugin that Pulumi.yaml names. */
class BucketsProject {
  readonly #server: TestS3;
  readonly #keepsLogs: boolean;
  #sandbox: TestSandbox | undefined;
  #folder = "";
  #printed = "";

  constructor(server: TestS3, keepsLogs: boolean) {
    this.#server = server;
    this.#keepsLogs = keepsLogs;
  }

  get #backend(): FolderBackend {
    return new FolderBackend((this.#sandbox ?? assert.fail()).sandbox.pulumiState);
  }

  get #file(): string {
    return join(this.#folder, "Pulumi.buckets.yaml");
  }

  get #home(): string {
    return join(this.#folder, "home");
  }

  async create(): Promise<void> {
    this.#sandbox = await testSandbox();
    this.#folder = await mkdtemp(join(tmpdir(), "kubecamp-buckets-"));
    await symlink(join(repository, "node_modules"), join(this.#folder, "node_modules"));
    await this.#sandbox.relayBuckets(this.#folder);
    await this.#put("package.json", JSON.stringify({ type: "module", main: "index.ts" }));
    await this.#put("Pulumi.yaml", await readFile(join(repository, "Pulumi.yaml"), "utf8"));
    await symlink(join(import.meta.dirname, "program.ts"), join(this.#folder, "index.ts"));
    await this.#backend.init("buckets", this.#file);
  }

  up(declared: Declared, ...flags: string[]): Promise<Run> {
    return this.run(declared, "up", "--yes", "--skip-preview", "--diff", ...flags);
  }

  preview(declared: Declared, ...flags: string[]): Promise<Run> {
    return this.run(declared, "preview", "--diff", ...flags);
  }

  async run(declared: Declared, ...args: string[]): Promise<Run> {
    const { endpoint, accessKeyId, secretAccessKey } = this.#server;
    const keys = { accessKeyId, secretAccessKey };
    await this.#put("declared.json", JSON.stringify({ endpoint, keys, ...declared }));
    const { exitCode, stdout, stderr } = await this.#pulumi([...args, "--stack", "buckets"]);
    this.#printed += `${stdout}\n${stderr}\n`;
    return { exitCode, output: `${stdout}\n${stderr}` };
  }

  /** Takes a resource out of Pulumi's state, as a killed run leaves out what it has made. */
  async forget(name: string): Promise<void> {
    const state = await this.#backend.export("buckets");
    const { resources = [], ...rest } = state.deployment;
    const left = resources.filter(({ urn }) => !urn.endsWith(`::${name}`));
    assert.equal(left.length, resources.length - 1, `no resource ${name}`);
    await this.#backend.import("buckets", { ...state, deployment: { ...rest, resources: left } });
  }

  /** Outputs of a resource in Pulumi's state, by its logical name; undefined if the state lacks it. Secrets are encrypted. */
  async state(name: string): Promise<Record<string, unknown> | undefined> {
    const { resources = [] } = (await this.#backend.export("buckets")).deployment;
    return resources.find(({ urn }) => urn.endsWith(`::${name}`))?.outputs as Record<string, unknown> | undefined;
  }

  /** A user's keys, decrypted as an application gets them. */
  async keys(name: string): Promise<Keys> {
    const { accessKeyId, secretAccessKey } = (await this.state(name)) ?? assert.fail(`no user ${name}`);
    const { ciphertext } = secretAccessKey as { ciphertext: string };
    const key = (await keyIn(this.#file)) ?? assert.fail(`no key in ${this.#file}`);
    // Pulumi encrypts values as JSON.
    return { accessKeyId: String(accessKeyId), secretAccessKey: String(JSON.parse(decrypt(ciphertext, key))) };
  }

  /** Everything that was printed and every file that Pulumi keeps, by name: no secret may be in these. */
  async everythingWritten(): Promise<ReadonlyMap<string, string>> {
    const { sandbox } = this.#sandbox ?? assert.fail();
    const texts = new Map([["what was printed", this.#printed]]);
    for (const folder of [this.#folder, sandbox.pulumiState]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (entry.isFile() && entry.name !== "declared.json") {
          texts.set(file, await readFile(file, "latin1"));
        }
      }
    }
    return texts;
  }

  async dispose(): Promise<void> {
    if (this.#folder === "") {
      return;
    }
    // What is left on the server goes with it.
    const { pulumiState } = (this.#sandbox ?? assert.fail()).sandbox;
    await rm(pulumiState, { recursive: true, force: true });
    await mkdir(pulumiState, { recursive: true });
    await rm(this.#folder, { recursive: true, force: true });
  }

  #pulumi(args: readonly string[]): Promise<CommandResult> {
    const { pulumi } = this.#sandbox ?? assert.fail("the suite's before hook has not run");
    // Nothing is killed here, which is what checkpoints are for. The tests' shared home turns off Pulumi's logs.
    const env = { ...atItsEnd, ...(this.#keepsLogs ? { PULUMI_HOME: this.#home } : {}) };
    return pulumi(args, { cwd: this.#folder, env });
  }

  #put(file: string, text: string): Promise<void> {
    return writeFile(join(this.#folder, file), text);
  }
}

/**
 * A project on this server for the suite that calls this.
 * @param keepsLogs whether Pulumi writes its logs, of which a small run is a third
 */
export function useBuckets(server: TestS3, keepsLogs = false): BucketsProject {
  const project = new BucketsProject(server, keepsLogs);
  before(async function () {
    this.timeout(clusterTimeout);
    await project.create();
  });
  after(async () => {
    await project.dispose();
  });
  return project;
}
