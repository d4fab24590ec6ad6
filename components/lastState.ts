import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { stateFile, stateIn } from "../config/sources/stateFile.ts";
import { type Exported, type KnownState, knownState } from "../plan/live/knownState.ts";

export async function ownState(): Promise<KnownState | undefined> {
  const state = await exported();
  return state && knownState(state);
}

/** A run that calls the engine's function gets a provider, which shows as a change. Secrets stay encrypted; no lock. */
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
