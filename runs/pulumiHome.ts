import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { stateFile } from "../config/sources/stateFile.ts";

/** `true` has Pulumi log the runs of `kubecamp` as it logs its own. */
const logVariable = "KUBECAMP_PULUMI_LOG";

/**
 * The log takes over half of the CPU and memory of `pulumi`, and no option turns it off: only a file in place of the
 * folder `logs` in Pulumi's home does. So the runs get a home of links to the real one, and such a file. Not with
 * Pulumi Cloud, which replaces files in the home, where `logs` is a file already, or where no folder can be made.
 */
export function withoutLog(
  folder: string,
  stack: string,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  if (env[logVariable] === "true" || stateFile(folder, stack, env) === undefined) {
    return {};
  }
  const home = linkedHome(env.PULUMI_HOME || join(userInfo().homedir, ".pulumi"));
  return home === undefined ? {} : { PULUMI_HOME: home };
}

const linked = "kubecamp";

/** A folder in the real home, which stays: runs share it, and one that is killed leaves no other behind. */
function linkedHome(home: string): string | undefined {
  const folder = join(resolve(home), linked);
  try {
    if (statSync(join(home, "logs"), { throwIfNoEntry: false })?.isFile()) {
      return undefined;
    }
    // Plugins and workspaces of a run go to the real home.
    for (const name of ["plugins", "workspaces"]) {
      mkdirSync(join(home, name), { recursive: true });
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "logs"), "");
    const names = readdirSync(home).filter((name) => name !== "logs" && name !== linked);
    // Even if there is none yet: a run must never sign in elsewhere than the real home says.
    for (const name of new Set([...names, "credentials.json"])) {
      link(join("..", name), join(folder, name));
    }
    return folder;
  } catch {
    return undefined;
  }
}

/** In place of another link or of Pulumi's file. What the real home does not have stays: another run may need it. */
function link(target: string, path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink() && readlinkSync(path) === target) {
    return;
  }
  rmSync(path, { recursive: true, force: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    // Another run has just made it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
}
