import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { stateFile } from "../config/sources/engine/stateFile.ts";

/** `true` has Pulumi log the runs of `kubecamp` as it logs its own. */
const logVariable = "KUBECAMP_PULUMI_LOG";

/**
 * Environment that keeps Pulumi from logging a stack's runs. The log takes over half of the CPU and memory of
 * `pulumi`, and no option turns it off: only a file in place of the folder `logs` in Pulumi's home does. So the runs
 * get a home of links to the real one, and such a file.
 * @returns empty for a backend other than a folder, since Pulumi Cloud replaces files in the home; where `logs` is a file
 * already; or where no folder can be made
 * @see https://www.pulumi.com/docs/iac/cli/environment-variables/
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

const homes = new Map<string, string | undefined>();

/** One for the whole process, whose end removes it; undefined if there is none to make. */
function linkedHome(home: string): string | undefined {
  if (!homes.has(home)) {
    homes.set(home, linksTo(resolve(home)));
  }
  return homes.get(home);
}

function linksTo(home: string): string | undefined {
  try {
    if (statSync(join(home, "logs"), { throwIfNoEntry: false })?.isFile()) {
      return undefined;
    }
    // What a run puts there stays.
    for (const name of ["plugins", "workspaces"]) {
      mkdirSync(join(home, name), { recursive: true });
    }
    const names = readdirSync(home).filter((name) => name !== "logs");
    const folder = mkdtempSync(join(tmpdir(), "kubecamp-pulumi-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    for (const name of names) {
      symlinkSync(join(home, name), join(folder, name));
    }
    writeFileSync(join(folder, "logs"), "");
    return folder;
  } catch {
    return undefined;
  }
}
