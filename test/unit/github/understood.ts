import assert from "node:assert/strict";
import type { Command } from "commander";
import { kubecampCommand } from "../../../commands/kubecamp.ts";

/** The words behind `kubecamp` of every call in a script. */
export function callsIn(script: string): string[] {
  const calls = script
    .replaceAll("\\\n", " ")
    .matchAll(/(?:npm run -s kubecamp --|(?:^|[|(]) *kubecamp) ([^|>();\n]*)/gm);
  return [...calls].map(([, call = ""]) => call.trim());
}

const subcommands = [
  "members archive",
  "members check",
  "members kubeconfig",
  "members restore",
  "cluster oidc",
  "state rebuild",
  "shards files",
  "shards move",
  "watch manifests",
];

/** Fails unless the command and its options are in its own help. */
export function understood(call: string): void {
  const words = call.split(/\s+/);
  const named = words.slice(0, subcommands.includes(words.slice(0, 2).join(" ")) ? 2 : 1);
  const command = named.reduce<Command | undefined>(
    (parent, name) => parent?.commands.find((each) => each.name() === name),
    kubecampCommand(),
  );
  assert.ok(command !== undefined, `${call}: there is no such command`);
  const help = command.helpInformation();
  for (const option of words.filter((word) => /^--?[a-z]/.test(word))) {
    assert.match(help, new RegExp(`(^|[ ,])${option}[ ,]`, "m"), `${call}: ${option}`);
  }
}
