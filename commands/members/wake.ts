import type { Command } from "commander";
import { Problem } from "../common/problem.ts";
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
  const until = new Date(Date.now() + minutesIn(options.for) * 60_000);
  const woken = await keepAwake(names, options, until);
  const text = () => [
    ...woken.map(({ name, schedule }) => `${name}: awake until ${momentText(until, schedule?.timeZone ?? "UTC")}`),
    "With kubecamp watch, this takes effect at once; otherwise with the next 'pulumi up'.",
  ];
  const data = woken.map(({ name }) => ({ member: name, awakeUntil: until.toISOString() }));
  console.log(options.output === "json" ? JSON.stringify(data, null, 2) : text().join("\n"));
}

const longest = 24 * 60;

/** Minutes of a time such as `1h30m`. @throws Problem when it is none, or too long */
export function minutesIn(text: string): number {
  const [, hours, minutes] = /^(?:(\d{1,4})h)?(?:(\d{1,4})m)?$/.exec(text) ?? [];
  const sum = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  if (!(sum > 0 && sum <= longest)) {
    throw new Problem(`'--for ${text}' is no valid time.`, {
      why: sum > longest ? "It is longer than a day." : "It must be hours and minutes, such as 2h, 45m or 1h30m.",
      remedy: `Choose at most 24h; for longer, change the member's schedule in the list. Nothing was changed.`,
    });
  }
  return sum;
}
