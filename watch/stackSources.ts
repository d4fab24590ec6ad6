import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf } from "../cluster/api/errors.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { readKeptHomes } from "../cluster/read/keptHomes.ts";
import { withTemporaryFolder } from "../cluster/temporaryFolder.ts";
import type { Configuration } from "../config/settings.ts";
import { stackFile } from "../config/sources/files.ts";
import { sourcesOf, withLeavers } from "../config/sources/load.ts";
import type { Sources } from "../config/sources/sources.ts";
import { withEnvironment } from "../runs/pulumiCommand.ts";
import type { PulumiStack } from "../runs/pulumiStack.ts";
import { stackConfig, UnreadLeavers } from "../runs/selectedStack.ts";

interface Kept {
  readonly sources: Sources;
  /** The stack's file as it was, which Pulumi reads too; undefined if there was none. */
  readonly file: Buffer | undefined;
}

/** The files with a stack's configuration, and their last content without mistakes. */
export class StackSources {
  readonly #stack: PulumiStack;
  readonly #folder: string;
  /** Further files with its settings and members. */
  #others: readonly string[] = [];
  #kept: Kept | undefined;
  #isUnread = false;

  constructor(stack: PulumiStack, folder: string) {
    this.#stack = stack;
    this.#folder = folder;
  }

  /**
   * Reads the stack's current configuration, with secrets decrypted, and keeps it for the time when there are mistakes.
   * @throws RunError naming every mistake
   * @throws UnreadConfiguration where Pulumi can't read it, UnreadLeavers where the cluster doesn't say who is in their grace
   */
  async configuration(): Promise<Configuration> {
    try {
      const file = readOrNone(join(this.#folder, stackFile(this.#folder, this.#stack.name)));
      const sources = sourcesOf(await stackConfig(this.#stack), this.#stack.name, this.#folder);
      // Also if they are refused: the edit that corrects them may be in any of them.
      this.#others = filesIn(sources);
      const read = await this.#parsed(sources);
      this.#kept = { sources, file };
      this.#isUnread = false;
      return read;
    } catch (error) {
      this.#isUnread = this.#kept !== undefined;
      throw error;
    }
  }

  /** The last configuration that could be read, as of today, whatever is in the files now. */
  async kept(): Promise<Configuration> {
    return this.#kept === undefined ? await this.configuration() : await this.#parsed(this.#kept.sources);
  }

  /** Absolute paths to watch: `Pulumi.yaml`, the stack's and a shard family's files, the last read members and pages. */
  files(): readonly string[] {
    const files = ["Pulumi.yaml", stackFile(this.#folder, this.#stack.name), ...this.#others];
    return files.map((file) => resolve(this.#folder, file));
  }

  /** Has Pulumi read the stack's file as it was if it can't be read now: Pulumi needs the key in it. */
  async withKeptFile<T>(act: () => Promise<T>): Promise<T> {
    const { file } = this.#kept ?? {};
    return !this.#isUnread || file === undefined
      ? await act()
      : await withTemporaryFolder("kubecamp-kept-", async (folder) => {
          const path = join(folder, "Pulumi.kept.yaml");
          await writeFile(path, file, { mode: 0o600 });
          return await withEnvironment(this.#stack.workspace, { PULUMI_OPTION_CONFIG_FILE: path }, act);
        });
  }

  async #parsed(sources: Sources): Promise<Configuration> {
    const { stop } = this.#stack.workspace;
    const waiting = stop === undefined ? {} : { signal: stop };
    const read = await withLeavers(sources, this.#stack.name, async (settings) => {
      findApiTarget(settings.cluster.context);
      return await readKeptHomes(settings, waiting, "watch").catch((error: unknown) => {
        throw new UnreadLeavers(messageOf(error));
      });
    });
    // A context that is not in the kubeconfig is a mistake like any other, and no outage.
    findApiTarget(read.settings.cluster.context);
    return read;
  }
}

const filesIn = ({ stack, members, pages, objects }: Sources): string[] => [
  ...(stack.raw.shardOf === undefined ? [] : [stack.file]),
  ...(members === undefined ? [] : [members.file]),
  ...(pages?.files ?? []),
  ...(objects?.keys() ?? []),
];

function readOrNone(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
