import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { getOrganization, getProject, getRootDirectory, getStack } from "@pulumi/pulumi";
import { stateFile, stateIn } from "../config/sources/stateFile.ts";
import {
  type Exported,
  type KnownMembers,
  type KnownObjects,
  logicalNamesIn,
  membersIn,
  objectsIn,
} from "../plan/decisions/unread/lastState.ts";

/** What Pulumi's state of this stack has, each undefined where it can't be had. A run asks for it once, if at all. */
export class LastState {
  #exported: Promise<Exported | undefined> | undefined;

  /** Begins to ask for it beside what else takes its time. */
  begin(): void {
    void this.#state();
  }

  /** Logical names. */
  async names(): Promise<ReadonlySet<string> | undefined> {
    const state = await this.#state();
    return state && logicalNamesIn(state);
  }

  /** Of whom it has the namespace, each with its UID as far as that is known. */
  async members(): Promise<KnownMembers | undefined> {
    const state = await this.#state();
    return state && membersIn(state.deployment?.resources ?? []);
  }

  async objects(): Promise<KnownObjects | undefined> {
    const state = await this.#state();
    return state && objectsIn(state.deployment?.resources ?? []);
  }

  #state(): Promise<Exported | undefined> {
    this.#exported ??= exported();
    return this.#exported;
  }
}

/**
 * Where no file of this machine has it, Pulumi's command line is asked: the engine has functions for it too, but each run that calls one gets a provider for
 * them, which shows as a change. Secrets stay encrypted, and no lock is taken.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_stack_export/
 */
async function exported(): Promise<Exported | undefined> {
  try {
    const file = stateFile(getRootDirectory() || process.cwd(), getStack());
    const known = file === undefined ? undefined : stateIn(file);
    if (known !== undefined) {
      return known;
    }
    const stack = `${getOrganization()}/${getProject()}/${getStack()}`;
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const options = {
      // The engine tells where; without one it is this process's.
      cwd: getRootDirectory() || process.cwd(),
      // More than fits into one text would end this process.
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
