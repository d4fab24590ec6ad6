import { createHash } from "node:crypto";
import { appendFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../../../sandbox/tools/catalogue.ts";
import { newKey, vaultProvider } from "../signIn/vault.ts";

/** A resource in a stack's state. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly outputs?: unknown;
  readonly deletedWith?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
}

/** A stack's state as `pulumi stack export` prints it. */
export interface ExportedState {
  readonly version: number;
  readonly features?: readonly string[];
  readonly deployment: {
    readonly resources?: readonly StateResource[];
    readonly pending_operations?: readonly unknown[];
    readonly [field: string]: unknown;
  };
}

/** A stack's file. */
interface Checkpoint extends Omit<ExportedState, "deployment"> {
  readonly checkpoint: { readonly stack: string; readonly latest?: ExportedState["deployment"] };
}

/**
 * Does what `pulumi stack` does in Pulumi's folder for states, without a process for each.
 * @see https://github.com/pulumi/pulumi/blob/master/pkg/backend/diy/state.go
 */
export class FolderBackend {
  readonly #folder: string;

  /** @param folder the one of PULUMI_BACKEND_URL */
  constructor(folder: string) {
    this.#folder = join(folder, ".pulumi");
  }

  /** The folder of all stacks' files. */
  get stacks(): string {
    return join(this.#folder, "stacks/kubecamp");
  }

  /** The folder of a stack's locks, which is there once somebody has taken one. */
  locks(stack: string): string {
    return join(this.#folder, "locks/organization/kubecamp", stack);
  }

  /** Locks a stack as a Pulumi with this process id would. */
  async lock(stack: string, pid: number | undefined): Promise<void> {
    const content = { pid, username: "somebody", hostname: hostname(), timestamp: new Date().toISOString() };
    await mkdir(this.locks(stack), { recursive: true });
    await writeFile(join(this.locks(stack), "left.json"), JSON.stringify(content));
  }

  /** Takes away the lock that a killed run has left, as `pulumi cancel` does. */
  async unlock(stack: string): Promise<void> {
    await rm(this.locks(stack), { recursive: true, force: true });
  }

  /**
   * As `pulumi stack init`, with the tests' vault.
   * @param file `Pulumi.<stack>.yaml`, to which it adds the stack's key if that has none
   */
  async init(stack: string, file: string): Promise<void> {
    if ((await keyIn(file)) === undefined) {
      await appendFile(file, `secretsprovider: ${vaultProvider}\nencryptedkey: ${newKey()}\n`);
    }
    const version = `v${catalogue.find(({ name }) => name === "pulumi")?.version}`;
    const magic = createHash("sha256").update(version).digest("hex");
    const keys = { type: "cloud", state: { url: vaultProvider, encryptedkey: await keyIn(file) } };
    await mkdir(this.stacks, { recursive: true });
    await writeFile(join(this.#folder, "meta.yaml"), "version: 1\n");
    await this.import(stack, {
      version: 3,
      deployment: {
        manifest: { time: new Date().toISOString(), magic, version },
        secrets_providers: keys,
        metadata: {},
      },
    });
  }

  /** As `pulumi stack rm --force --preserve-config`, and `pulumi stack init`. */
  async lose(stack: string, file: string): Promise<void> {
    await cp(this.#file(stack), `${this.#file(stack)}.bak`);
    await rm(join(this.#folder, "history/kubecamp", stack), { recursive: true, force: true });
    await this.init(stack, file);
  }

  /** As `pulumi stack export`. */
  async export(stack: string): Promise<ExportedState> {
    const { checkpoint, ...rest } = JSON.parse(await readFile(this.#file(stack), "utf8")) as Checkpoint;
    return { ...rest, deployment: checkpoint.latest ?? {} };
  }

  /** As `pulumi stack import`. */
  async import(stack: string, { deployment: latest, ...rest }: ExportedState): Promise<void> {
    const state: Checkpoint = { ...rest, checkpoint: { stack: `organization/kubecamp/${stack}`, latest } };
    await writeFile(this.#file(stack), JSON.stringify(state));
  }

  #file(stack: string): string {
    return join(this.stacks, `${stack}.json`);
  }
}

/** The key, encrypted, that a stack's file has; undefined if it has none. */
export async function keyIn(file: string): Promise<string | undefined> {
  return /^encryptedkey: (.+)$/m.exec(await readFile(file, "utf8").catch(() => ""))?.[1];
}
