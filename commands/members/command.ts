import { type Command, InvalidArgumentError, Option } from "commander";
import { addArchiveCommands } from "../archive/command.ts";
import { languages } from "../board/options.ts";
import { outputOption, report } from "../common/run.ts";
import { addEditCommands } from "./edit/command.ts";
import { addImportCommand } from "./import/command.ts";
import { addInviteCommand } from "./invite/command.ts";

const examples = `
Examples:
  List all members on the current context's cluster:
  $ kubecamp members
  $ kubecamp members --stack prod -o wide
  $ kubecamp members -o json | jq '.[] | select(.state == "pending") | .member'
  List members with a last day in the next two weeks:
  $ kubecamp members --expiring 14d
  Show quota and use of each course, by members' labels:
  $ kubecamp members --by course
  Show bob alone, a line for each column:
  $ kubecamp members show bob
  Write a page with all members; --by course groups them:
  $ kubecamp members -o html --out board.html
  Check the stacks' files, without a cluster:
  $ kubecamp members check
  Edit the list; also 'set', 'remove', 'suspend' and 'resume':
  $ kubecamp members add bob --type user --stack prod

Exit codes: 0 listed, 1 no answer from the cluster, or no such stack, 2 wrong usage.
Columns and keys: docs/reference/commands.md; the page: docs/run/board.md`;

const showExamples = `
Examples:
  $ kubecamp members show bob
  $ kubecamp members show bob carol -o json | jq '.[].reason'

Exit codes: 0 shown, 1 no such member, or no answer from the cluster,
2 wrong usage.
Lines and keys: docs/reference/commands.md`;

const checkExamples = `
Examples:
  Check all stacks of this folder's project:
  $ kubecamp members check
  $ kubecamp members check Pulumi.prod.yaml
  $ kubecamp members check members.yaml -o json

Exit codes: 0 no mistakes, 1 mistakes, 2 wrong usage or a file that can't be read.
See docs/reference/commands.md`;

const kubeconfigExamples = `
Examples:
  $ kubecamp members kubeconfig bob --stack prod > bob.kubeconfig
  $ kubecamp members kubeconfig bob --stack prod --server https://k8s.example.org:6443

The kubeconfig has no secret: the member signs in at the issuer, through kubelogin.
Exit codes: 0 printed, 1 no such member, or no issuer, 2 wrong usage.
See docs/run/sign-in.md, for members docs/members/sign-in.md`;

const wakeExamples = `
Examples:
  $ kubecamp members wake bob --for 2h
  $ kubecamp members wake bob carol --for 1h30m --stack prod -o json

Exit codes: 0 done, 1 refused, 2 wrong usage.
See docs/run/sleep.md`;

/** Loads the implementation only when a command runs: half of them take longer to load than to run. */
export function addMembersCommand(program: Command): void {
  const members = program
    .command("members")
    .description("List members with state, quota, route and expiry")
    .option("--stack <name>", "only the members of this stack")
    .option("--context <name>", "context of your kubeconfig (default: that of --stack, or the current one)")
    .option("--expiring <days>", "only members with a last day in the next days, such as 14d", days)
    .option("--by <label>", "sum members by this label, or by 'type'")
    .addOption(outputOption("table", "wide", "json", "html"))
    .option("--out <file>", "with -o html: write the page into this file (default: stdout)")
    .addOption(new Option("--lang <language>", "with -o html: language of the page (default: en)").choices(languages))
    .addHelpText("after", examples)
    .hook("preSubcommand", (_, subcommand) => {
      const lost = members.options.find((option) => members.getOptionValueSource(option.attributeName()) === "cli");
      if (lost !== undefined) {
        subcommand.error(`error: option '${lost.flags}' does nothing before '${subcommand.name()}'`);
      }
    })
    // The action reports an unknown command itself: commander would complain of too many arguments.
    .allowExcessArguments()
    .action(async (options, { args: [word] }: Command) => {
      if (word !== undefined) {
        const { nearest } = await import("../../config/values/nearest.ts");
        const names = members.commands.map((command) => command.name());
        const near = nearest(word, names);
        const asMember = `${near === "" ? "; for" : " For"} one member: 'kubecamp members show ${word}'`;
        members.error(`error: unknown command '${word}'${near}${asMember}`);
      }
      const lost = (["out", "lang"] as const).find((name) => options[name] !== undefined);
      if (lost !== undefined && options.output !== "html") {
        members.error(`error: option '--${lost}' needs '-o html'`);
      }
      await report(async () => (await import("./list.ts")).listMembers(options));
    });
  members
    .command("show")
    .description("Show members one by one, with the columns of '-o wide', a line each")
    .argument("<name...>", "the members")
    .option("--stack <name>", "only the members of this stack")
    .option("--context <name>", "context of your kubeconfig (default: that of --stack, or the current one)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", showExamples)
    .action((names, options) => report(async () => (await import("./show.ts")).showMembers(names, options)));
  members
    .command("check")
    .description("List all mistakes in stacks' files and members files, without a cluster or Pulumi")
    .argument("[file...]", "Pulumi.<stack>.yaml or members file (default: those of all stacks in this folder)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", checkExamples)
    .action((files, options) => report(async () => (await import("./check.ts")).checkMembers(files, options), 2));
  members
    .command("kubeconfig")
    .description("Print a member's kubeconfig")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, with its files in this folder")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .option("--server <url>", "URL of the API server for members (default: the context's)")
    .option("--certificate-authority <file>", "CA of the API server's certificate (default: the context's)")
    .addOption(outputOption("yaml", "json"))
    .addHelpText("after", kubeconfigExamples)
    .action((name, options) => report(async () => (await import("./kubeconfig.ts")).printKubeconfig(name, options)));
  members
    .command("wake")
    .description("Keep members awake for some time, whatever their schedule")
    .argument("<name...>", "the members")
    .requiredOption("--for <time>", "how long, such as 2h or 1h30m; 24h at most")
    .option("--stack <name>", "the members' stack, with its files in this folder (default: the only one)")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", wakeExamples)
    .action((names, options) => report(async () => (await import("./wake.ts")).wakeMembers(names, options)));
  addInviteCommand(members);
  addEditCommands(members);
  addImportCommand(members);
  addArchiveCommands(members);
}

function days(text: string): number {
  const [, count] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (count === undefined) {
    throw new InvalidArgumentError("It takes a whole number of days with d, such as 14d.");
  }
  return Number(count);
}
