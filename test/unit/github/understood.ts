import assert from "node:assert/strict";
import { clonesCommand } from "../../../sandbox/kubecamp.ts";

/** The words behind `kubecamp` of every call in a script, however it is called. */
export function callsIn(script: string): string[] {
  const calls = script
    .replaceAll("\\\n", " ")
    .matchAll(
      /(?:npm run -s kubecamp -- |npx (?:--yes )?(?:--package \S+ )?kubecamp |(?<=^\s*|[|(] *)kubecamp )([^|>()#;\n]*)/gm,
    );
  return [...calls].map(([, call = ""]) => call.trim());
}

/** Fails unless the command and its options are in its own help. */
export function understood(call: string): void {
  const words = call.split(/\s+/);
  let command = clonesCommand();
  for (const word of words) {
    const inner = command.commands.find((each) => each.name() === word);
    if (inner === undefined) {
      break;
    }
    command = inner;
  }
  assert.ok(command.parent !== null || call.startsWith("-"), `${call}: there is no such command`);
  const help = command.helpInformation();
  for (const option of words.filter((word) => /^--?[a-z]/.test(word))) {
    assert.match(help, new RegExp(`(^|[ ,])${option.replace(/=.*/, "")}[ ,\\n]`, "m"), `${call}: ${option}`);
  }
}
