import assert from "node:assert/strict";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";

/** The words behind `kubecamp` of every call in a script. */
export function callsIn(script: string): string[] {
  const calls = script.replaceAll("\\\n", " ").matchAll(/npm run -s kubecamp -- ([^|>();\n]*)/g);
  return [...calls].map(([, call = ""]) => call.trim());
}

const subcommands = ["members check", "members kubeconfig", "cluster oidc", "state rebuild"];

/** Fails unless the command and its options are in its own help. */
export async function understood(call: string): Promise<void> {
  const words = call.split(/\s+/);
  const command = words.slice(0, subcommands.includes(words.slice(0, 2).join(" ")) ? 2 : 1);
  const { stdout } = await execa(process.execPath, [join(repository, "bin/kubecamp.mjs"), ...command, "--help"]);
  assert.ok(stdout.startsWith(`Usage: kubecamp ${command.join(" ")} [`), `${call}: there is no such command`);
  for (const option of words.filter((word) => /^--?[a-z]/.test(word))) {
    assert.match(stdout, new RegExp(`(^|[ ,])${option}[ ,]`, "m"), `${call}: ${option}`);
  }
}
