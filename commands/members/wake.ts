import type { Command } from "commander";
import { minutesIn } from "../common/minutes.ts";
import { outputOption, report } from "../common/run.ts";

const examples = `
Examples:
  $ kubecamp members wake bob --for 2h
  $ kubecamp members wake bob carol --for 1h30m --stack prod -o json

Exit codes: 0 done, 1 refused, 2 wrong usage.
See docs/run/sleep.md`;

export function addWakeCommand(members: Command): void {
  members
    .command("wake")
    .description("Keep members awake for some time, whatever their schedule")
    .argument("<name...>", "the members")
    .requiredOption("--for <time>", "how long, such as 2h or 1h30m; 24h at most")
    .option("--stack <name>", "the members' stack, with its files in this folder (default: the only one)")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((names, options) => report(() => wakeMembers(names, options)));
}

interface WakeOptions {
  readonly stack?: string;
  readonly context?: string;
  readonly for: string;
  readonly output: "text" | "json";
}

export async function wakeMembers(names: readonly string[], options: WakeOptions): Promise<void> {
  const { momentText } = await import("../../config/schedule.ts");
  const { keepAwake } = await import("./keepAwake.ts");
  const until = new Date(Date.now() + minutesIn(options.for, "change the member's schedule in the list") * 60_000);
  const woken = await keepAwake(names, options, until);
  const text = () => [
    ...woken.map(({ name, schedule }) => `${name}: awake until ${momentText(until, schedule?.timeZone ?? "UTC")}`),
    "With kubecamp watch, this takes effect at once; otherwise with the next 'pulumi up'.",
  ];
  const data = woken.map(({ name }) => ({ member: name, awakeUntil: until.toISOString() }));
  console.log(options.output === "json" ? JSON.stringify(data, null, 2) : text().join("\n"));
}
