import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { KubernetesObject } from "@kubernetes/client-node";
import { stateFile, stateIn } from "../config/sources/engine/stateFile.ts";
import {
  contentIn,
  type Exported,
  type KnownMembers,
  type KnownObjects,
  logicalNamesIn,
  membersIn,
  objectsIn,
} from "../plan/decisions/unread/lastState.ts";

/**
 * Pulumi's state of a stack, asked for at most once in a run. Each answer is undefined if the state can't be read.
 */
export class LastState {
  readonly #read: () => Promise<Exported | undefined>;
  #exported: Promise<Exported | undefined> | undefined;

  /** @param read default: asks for the state of the stack that this program runs for */
  constructor(read = exported) {
    this.#read = read;
  }

  /** Logical names. */
  async names(): Promise<ReadonlySet<string> | undefined> {
    const state = await this.#state();
    return state && logicalNamesIn(state);
  }

  /** Members whose namespace is in the state, each with its UID if known. */
  async members(): Promise<KnownMembers | undefined> {
    const state = await this.#state();
    return state && membersIn(state.deployment?.resources ?? []);
  }

  async objects(): Promise<KnownObjects | undefined> {
    const state = await this.#state();
    return state && objectsIn(state.deployment?.resources ?? []);
  }

  /** Objects as the last run that saw them did; none if the state can't be read. */
  async content(): Promise<readonly KubernetesObject[]> {
    return contentIn((await this.#state())?.deployment?.resources ?? []);
  }

  #state(): Promise<Exported | undefined> {
    this.#exported ??= this.#read();
    return this.#exported;
  }
}

/**
 * Asks Pulumi's CLI unless a local file has the state. The engine has functions for it too, but a run that calls one
 * gets a provider for them, which shows as a change. Secrets stay encrypted, and no lock is taken.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_stack_export/
 */
async function exported(): Promise<Exported | undefined> {
  try {
    const { getOrganization, getProject, getRootDirectory, getStack } = await import("@pulumi/pulumi");
    const file = stateFile(getRootDirectory() || process.cwd(), getStack());
    const known = file === undefined ? undefined : stateIn(file);
    if (known !== undefined) {
      return known;
    }
    const stack = `${getOrganization()}/${getProject()}/${getStack()}`;
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const options = {
      // Without an engine, the root is this process's working directory.
      cwd: getRootDirectory() || process.cwd(),
      // The longest string that Node can hold: output beyond it would end this process.
      maxBuffer: constants.MAX_STRING_LENGTH,
      // A backend that never answers must not hold up a preview for good.
      timeout: 120_000,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    };
    const { stdout } = await promisify(execFile)("pulumi", args, options);
    return JSON.parse(stdout) as Exported;
  } catch {
    return undefined;
  }
}
