import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BucketSettings } from "../../../buckets/bucket/settings.ts";
import { openServer } from "../../../buckets/s3/server.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { clusterTimeout } from "../support/cluster.ts";
import type { Keys, TestS3 } from "../support/s3.ts";
import { type CommandResult, type TestSandbox, testSandbox } from "../support/sandbox.ts";
import { vaultProvider } from "../support/signIn/vault.ts";

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

interface Resource {
  readonly urn: string;
  readonly outputs?: Record<string, unknown>;
}

interface State {
  readonly deployment: { readonly resources?: readonly Resource[] };
}

/** A Pulumi program with buckets only, run by the real engine with the plugin that Pulumi.yaml names. */
class BucketsProject {
  readonly #server: TestS3;
  #sandbox: TestSandbox | undefined;
  #folder = "";
  #printed = "";
  /** Pulumi's state after the last run; read on first use. */
  #known: Promise<State> | undefined;

  constructor(server: TestS3) {
    this.#server = server;
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
    const { exitCode, stderr } = await this.#pulumi(["stack", "init", "buckets", "--secrets-provider", vaultProvider]);
    assert.equal(exitCode, 0, stderr);
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
    this.#known = undefined;
    const { exitCode, stdout, stderr } = await this.#pulumi([...args, "--stack", "buckets"]);
    this.#printed += `${stdout}\n${stderr}\n`;
    return { exitCode, output: `${stdout}\n${stderr}` };
  }

  async urn(name: string): Promise<string> {
    return (await this.#resource(name))?.urn ?? assert.fail(`no resource ${name}`);
  }

  /** Outputs of a resource in Pulumi's state, by its logical name; undefined if the state lacks it. Secrets are shown. */
  async state(name: string): Promise<Record<string, unknown> | undefined> {
    return (await this.#resource(name))?.outputs;
  }

  async #resource(name: string): Promise<Resource | undefined> {
    this.#known ??= this.#exported();
    const { resources = [] } = (await this.#known).deployment;
    return resources.find(({ urn }) => urn.endsWith(`::${name}`));
  }

  async #exported(): Promise<State> {
    const { stdout } = await this.#pulumi(["stack", "export", "--stack", "buckets", "--show-secrets"]);
    return JSON.parse(stdout) as State;
  }

  /** A user's keys, decrypted as an application gets them. */
  async keys(name: string): Promise<Keys> {
    const { accessKeyId, secretAccessKey } = (await this.state(name)) ?? assert.fail(`no user ${name}`);
    // An export wraps secrets as JSON.
    const { plaintext } = secretAccessKey as { plaintext: string };
    return { accessKeyId: String(accessKeyId), secretAccessKey: String(JSON.parse(plaintext)) };
  }

  /** Everything that was printed and every file that Pulumi keeps, by name: no secret may be in these. */
  async everythingWritten(): Promise<ReadonlyMap<string, string>> {
    const { sandbox } = this.#sandbox ?? assert.fail();
    const texts = new Map([["what was printed", this.#printed]]);
    for (const folder of [this.#folder, sandbox.pulumiState]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (entry.isFile() && entry.name !== "declared.json") texts.set(file, await readFile(file, "latin1"));
      }
    }
    return texts;
  }

  async dispose(): Promise<void> {
    if (this.#folder === "") return;
    fine(await this.run({}, "destroy", "--yes", "--skip-preview", "--remove"));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #pulumi(args: readonly string[]): Promise<CommandResult> {
    const { pulumi } = this.#sandbox ?? assert.fail("the suite's before hook has not run");
    // The tests' shared home turns off Pulumi's logs; this test needs them.
    return pulumi(args, { cwd: this.#folder, env: { PULUMI_HOME: this.#home } });
  }

  #put(file: string, text: string): Promise<void> {
    return writeFile(join(this.#folder, file), text);
  }
}

/** A project on this server for the suite that calls this. */
export function useBuckets(server: TestS3): BucketsProject {
  const project = new BucketsProject(server);
  before(async function () {
    this.timeout(clusterTimeout);
    await project.create();
  });
  after(async () => {
    await project.dispose();
  });
  return project;
}
