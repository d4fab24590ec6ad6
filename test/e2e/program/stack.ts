import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import { atItsEnd } from "../../../runs/checkpoints.ts";
import { repository } from "../../../sandbox/paths.ts";
import { withController } from "../../unit/samples.ts";
import type { ApiProxy } from "../support/cluster/apiProxy.ts";
import { clusterTimeout } from "../support/cluster.ts";
import { FolderBackend, keyIn, type StateResource } from "../support/engine/folderBackend.ts";
import { type CommandResult, type TestSandbox, testSandbox } from "../support/sandbox.ts";
import { encrypt } from "../support/signIn/vault.ts";
import { removeStacks } from "./inventory.ts";
import { ingressNamespace, settled } from "./settled.ts";
import { until } from "./workloads.ts";

/** A member's entry, as a stack's configuration has it. */
export interface Entry {
  readonly member: string;
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A run's result, with the resources that it touched as `operation type name`, in the order in which it finished them. */
export interface Run {
  readonly exitCode: number;
  /** Everything that was printed. */
  readonly output: string;
  /** Such as `create kubernetes:core/v1:Namespace bob/namespace`, components and provider included. */
  readonly steps: readonly string[];
}

/**
 * A stack of the real program on the tests' sandbox, with a configuration file and a backend entry of its own. It is
 * there for the suite that calls this, and gone after it.
 */
export function useStack(name: string): TestStack {
  const stack = new TestStack(name);
  before(async function () {
    // On a fresh machine, the first to ask for the sandbox waits until its tools are built.
    this.timeout(clusterTimeout);
    await stack.create();
  });
  after(() => stack.dispose());
  return stack;
}

export class TestStack {
  readonly name: string;
  #sandbox: TestSandbox | undefined;
  #folder = "";

  constructor(name: string) {
    this.name = name;
  }

  get sandbox(): TestSandbox {
    assert.ok(this.#sandbox, "the suite's before hook has not run");
    return this.#sandbox;
  }

  async create(): Promise<void> {
    this.#sandbox = await testSandbox();
    // A suite before this one may have made it.
    await this.sandbox.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: ingressNamespace } });
    await settled(this.sandbox);
    this.#folder = await mkdtemp(join(tmpdir(), "kubecamp-stack-"));
    await this.configure([]);
    await copyFile(join(repository, "Pulumi.yaml"), join(this.#folder, "Pulumi.yaml"));
    // It says that a plugin is there.
    await this.sandbox.relayBuckets(this.#folder);
    await this.init();
  }

  get #config(): string {
    return this.#configOf(this.name);
  }

  #configOf(name: string): string {
    return join(this.#folder, `Pulumi.${name}.yaml`);
  }

  /** States of the stack and its shards. */
  get backend(): FolderBackend {
    return new FolderBackend(this.sandbox.sandbox.pulumiState);
  }

  /** Makes the stack, or a shard of it that `kubecamp shards files` has made a file for. */
  async init(name = this.name): Promise<void> {
    await this.backend.init(name, this.#configOf(name));
  }

  /**
   * Sets the members, unless a file has them, and whatever else differs from the least that a stack must say. YAML takes
   * JSON as it is.
   */
  async configure(members: readonly Entry[] | undefined, settings: Record<string, unknown> = {}): Promise<void> {
    const { route = { host: "camp.test" }, ...others } = settings;
    const values = { route: withController(route), ...others, members };
    const config = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key.includes(":") ? key : `kubecamp:${key}`, value]),
    );
    await this.write(stringify({ config }, { defaultStringType: "QUOTE_DOUBLE" }));
  }

  /** Writes the stack's file as it is, so that a test knows its lines; Pulumi's own come last. */
  async write(text: string): Promise<void> {
    await writeFile(this.#config, text + (await this.#secretsLines()));
  }

  /** Pulumi keeps what it encrypts secrets with in the file that we write anew. */
  async #secretsLines(): Promise<string> {
    const text = await readFile(this.#config, "utf8").catch(() => "");
    const lines = text.match(/^(encryptionsalt|secretsprovider|encryptedkey): .+$/gm) ?? [];
    return lines.map((line) => `${line}\n`).join("");
  }

  /** A value for the file of the stack, or of a shard of it, as `pulumi config set --secret` encrypts it. */
  async secret(value: string, name = this.name): Promise<{ readonly secure: string }> {
    const file = this.#configOf(name);
    return { secure: encrypt(value, (await keyIn(file)) ?? assert.fail(`${file} has no key`)) };
  }

  up(...flags: string[]): Promise<Run> {
    return this.run(["up", "--yes", "--skip-preview", ...flags]);
  }

  preview(...flags: string[]): Promise<Run> {
    return this.run(["preview", ...flags]);
  }

  /** Runs and expects success. */
  async upFine(...flags: string[]): Promise<Run> {
    return await this.#fine(this.up(...flags));
  }

  /** Runs with the preview first, as people do, and expects both to succeed: an up does nothing after one that fails. */
  async upPreviewed(...flags: string[]): Promise<Run> {
    return await this.#fine(this.run(["up", "--yes", ...flags]));
  }

  /** The same, with the output of each. Only the preview has to succeed: otherwise there is no up. */
  async previewedUp(...flags: string[]): Promise<{ readonly preview: string; readonly up: Run }> {
    const run = await this.run(["up", "--yes", ...flags]);
    const [preview = "", output] = run.output.split(/^(?=Updating \()/m);
    assert.ok(output !== undefined, run.output);
    return { preview, up: { ...run, output } };
  }

  async #fine(running: Promise<Run>): Promise<Run> {
    const run = await running;
    assert.equal(run.exitCode, 0, run.output);
    await this.policiesSeen();
    return run;
  }

  /** A controller writes into each policy's status once it has looked at it: that must not look like a run's doing. */
  async policiesSeen(): Promise<void> {
    const path = `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?labelSelector=kubecamp.dev/stack=${this.name}`;
    const seen = async () =>
      (JSON.parse(await this.sandbox.read(path)) as PolicyList).items.every(
        ({ metadata, status }) => status?.observedGeneration === metadata.generation,
      );
    while (!(await seen())) {
      await sleep(100);
    }
  }

  /** @param cwd the project's folder, if it is not the repository */
  async run(args: readonly string[], env: Record<string, string> = {}, cwd = repository): Promise<Run> {
    const events = join(this.#folder, `events-${randomUUID()}.jsonl`);
    const result = await this.sandbox.pulumi(this.flags([...args, "--event-log", events]), {
      // The flag for the event log is one of those that Pulumi keeps for debugging. Checkpoints are for runs that are killed.
      env: { PULUMI_DEBUG_COMMANDS: "true", ...atItsEnd, ...env },
      cwd,
    });
    const output = `${result.stdout}\n${result.stderr}`;
    const log = await readFile(events, "utf8").catch((error: NodeJS.ErrnoException) => {
      // A run that fails early has none; after any other, no log must not look like no steps.
      if (error.code === "ENOENT" && result.exitCode !== 0) {
        return "";
      }
      throw new Error(`Pulumi has written no log of events:\n${output}`, { cause: error });
    });
    const steps = stepsOf(log);
    if (args[0] !== "preview") {
      await this.#gone(steps);
    }
    return { exitCode: result.exitCode, output, steps };
  }

  /** No run waits until the namespaces are gone that it deletes. */
  async #gone(steps: readonly string[]): Promise<void> {
    const deleted = steps.flatMap((step) => /^delete .*:Namespace (.+)\/namespace$/.exec(step)?.[1] ?? []);
    for (const name of deleted) {
      await until(async () => (await this.sandbox.find("namespace", name)) === undefined);
    }
  }

  /** Runs kubectl on the cluster, expects success, and gives what it printed. */
  async kubectl(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.sandbox.kubectl(args);
    assert.equal(exitCode, 0, stderr);
    return stdout;
  }

  /** Deletes an object as `kubectl delete` does, without a process: `service`, `bob-svc`, `bob`. */
  delete(kind: string, name: string, namespace?: string): Promise<void> {
    return this.sandbox.destroy(kind, name, namespace);
  }

  /**
   * Has kubectl do what admission policies refuse, as somebody may have done before there were any: meanwhile the namespace
   * is not the stack's.
   */
  async beforePolicies(namespace: string, args: readonly string[]): Promise<void> {
    const setStack = (name: string | null) =>
      this.sandbox.patch("namespace", namespace, undefined, { metadata: { labels: { "kubecamp.dev/stack": name } } });
    await setStack(null);
    // Policies take a moment to notice.
    await until(async () => (await this.sandbox.kubectl(args)).exitCode === 0);
    await setStack(this.name);
  }

  /**
   * Makes the stack's folder a project of its own with the program of this one, so that `Pulumi.<stack>.yaml` stands beside
   * `Pulumi.yaml` as it does for people.
   */
  async makeProject(): Promise<void> {
    for (const part of ["index.ts", "package.json", "node_modules"]) {
      await symlink(join(repository, part), join(this.#folder, part));
    }
  }

  /**
   * Starts a proxy in front of the API server.
   * @returns what has a command go through it
   */
  async behind(proxy: ApiProxy): Promise<{ readonly KUBECONFIG: string }> {
    const KUBECONFIG = join(this.#folder, "proxied.kubeconfig");
    await proxy.start(this.sandbox.kubeconfig);
    await proxy.writeKubeconfig(this.sandbox.kubeconfig, KUBECONFIG);
    return { KUBECONFIG };
  }

  /** A folder that goes with the stack. */
  get folder(): string {
    return this.#folder;
  }

  /** Arguments with the flags that select this stack. */
  flags(args: readonly string[]): string[] {
    return [...args, "--stack", this.name, "--config-file", this.#config];
  }

  /** A command about the stack rather than its resources: these know no --config-file, and take it from their folder. */
  manage(...args: string[]): Promise<CommandResult> {
    return this.sandbox.pulumi(args, { cwd: this.#folder });
  }

  /** Loses the stack's state and keeps its configuration, as where a backend was set up anew. */
  async loseState(): Promise<void> {
    await this.backend.lose(this.name, this.#config);
  }

  async outputs(): Promise<unknown> {
    return (await this.resources()).find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs;
  }

  async resources(): Promise<readonly StateResource[]> {
    return (await this.backend.export(this.name)).deployment.resources ?? [];
  }

  /** How many operations a killed run has left under way. */
  async pendingOperations(): Promise<number> {
    return ((await this.backend.export(this.name)).deployment.pending_operations ?? []).length;
  }

  /** URNs in the stack's state. */
  async urns(): Promise<string[]> {
    return (await this.resources()).map(({ urn }) => urn);
  }

  /** Deletes what is left, of its shards too, and forgets the stack: both would be in the way of the next suite. */
  async dispose(): Promise<void> {
    if (this.#folder === "") {
      return;
    }
    await removeStacks(this.sandbox);
    await rm(this.sandbox.sandbox.pulumiState, { recursive: true, force: true });
    await mkdir(this.sandbox.sandbox.pulumiState, { recursive: true });
    await rm(this.#folder, { recursive: true, force: true });
  }
}

interface PolicyList {
  readonly items: readonly {
    readonly metadata: { readonly generation: number };
    readonly status?: { readonly observedGeneration?: number };
  }[];
}

interface EngineEvent {
  /** A preview or an update begins. */
  readonly preludeEvent?: object;
  readonly resOutputsEvent?: { readonly metadata: { readonly op: string; readonly urn: string } };
}

/** Operations that touch nothing. */
const idle = ["same", "read", "refresh"];

/** Of an up with its preview, those of the up. */
function stepsOf(log: string): string[] {
  const events = log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as EngineEvent);
  return events
    .slice(
      Math.max(
        0,
        events.findLastIndex(({ preludeEvent }) => preludeEvent !== undefined),
      ),
    )
    .flatMap(({ resOutputsEvent }) => {
      const step = resOutputsEvent?.metadata;
      if (step === undefined || idle.includes(step.op) || step.urn.includes("::pulumi:pulumi:Stack::")) {
        return [];
      }
      const [, , type = "", name = ""] = step.urn.split("::");
      return [`${step.op} ${type.split("$").at(-1)} ${name}`];
    });
}
