import { type Command, InvalidArgumentError, Option } from "commander";
import { addArchiveCommands } from "../archive/command.ts";
import { languages } from "../board/options.ts";
import { outputOption } from "../common/outputOption.ts";
import { report } from "../common/run.ts";
import { addEditCommands } from "./edit/command.ts";
import { addInviteCommand } from "./invitation/command.ts";
import { addImportCommand } from "./roster/command.ts";

const examples = `
Examples:
  $ npm run -s kubecamp -- members                  everybody on the current context's cluster
  $ npm run -s kubecamp -- members --stack prod -o wide
  $ npm run -s kubecamp -- members -o json | jq '.[] | select(.state == "pending") | .member'
  $ npm run -s kubecamp -- members --expiring 14d   whose last day is in the next two weeks
  $ npm run -s kubecamp -- members --by course      quota and use of each course, by the label in the stack's file
  $ npm run -s kubecamp -- members -o html --out board.html     one page to look at; --by course groups by a label
  $ npm run -s kubecamp -- members check            mistakes in the stacks' files, without a cluster
  $ npm run -s kubecamp -- members add bob --type user     'set', 'remove', 'suspend' and 'resume' edit the list, too

Exit codes: 0 listed, 1 the cluster or the stack has no answer, 2 wrong usage.
What each column and key means: docs/reference/commands.md; the page: docs/run/board.md`;

const checkExamples = `
Examples:
  $ npm run -s kubecamp -- members check                   all stacks of this folder's project
  $ npm run -s kubecamp -- members check Pulumi.prod.yaml
  $ npm run -s kubecamp -- members check members.yaml -o json

Exit codes: 0 no mistakes, 1 mistakes, 2 wrong usage or a file that can't be read.
For a pre-commit hook and CI: docs/reference/commands.md`;

const kubeconfigExamples = `
Examples:
  $ npm run -s kubecamp -- members kubeconfig bob --stack prod > bob.kubeconfig
  $ npm run -s kubecamp -- members kubeconfig bob --stack prod --server https://k8s.example.org:6443

Nothing in it is secret: whoever uses it signs in at the issuer, through kubelogin.
Exit codes: 0 printed, 1 there is no such member or no way to sign in, 2 wrong usage.
How members use it: docs/members/sign-in.md`;

const wakeExamples = `
Examples:
  $ npm run -s kubecamp -- members wake bob --for 2h
  $ npm run -s kubecamp -- members wake bob carol --for 1h30m --stack prod -o json

Exit codes: 0 done, 1 refused, 2 wrong usage.
When members sleep: docs/run/sleep.md`;

/** Loads the implementation only when a command runs: half of them take longer to load than to run. */
export function addMembersCommand(program: Command): void {
  const members = program
    .command("members")
    .description("Who is on the cluster: state, quota used, route and expiry of each member")
    .option("--stack <name>", "only the members of this stack")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .option("--expiring <days>", "only members whose last day is in the next days, such as 14d", days)
    .option("--by <label>", "sum up by this label of members, or by 'type'")
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
        const { nearest } = await import("../../config/model/nearest.ts");
        const names = members.commands.map((command) => command.name());
        members.error(`error: unknown command '${word}'${nearest(word, names)}`);
      }
      const lost = (["out", "lang"] as const).find((name) => options[name] !== undefined);
      if (lost !== undefined && options.output !== "html") {
        members.error(`error: option '--${lost}' needs '-o html'`);
      }
      await report(async () => (await import("./list.ts")).listMembers(options));
    });
  members
    .command("check")
    .description("List all mistakes in stacks' files and members files, without a cluster or Pulumi")
    .argument("[file...]", "Pulumi.<stack>.yaml or members file (default: those of all stacks in this folder)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", checkExamples)
    .action((files, options) => report(async () => (await import("./check.ts")).checkMembers(files, options), 2));
  members
    .command("kubeconfig")
    .description("Print a member's kubeconfig for signing in")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, of which the files in this folder are read")
    .option(
      "--context <name>",
      "context of your kubeconfig that has the cluster (default: the stack's, or the current one)",
    )
    .option("--server <url>", "the API server as members reach it (default: as that context does)")
    .option("--certificate-authority <file>", "CA of the API server's certificate (default: that context's)")
    .addOption(outputOption("yaml", "json"))
    .addHelpText("after", kubeconfigExamples)
    .action((name, options) => report(async () => (await import("./kubeconfig.ts")).printKubeconfig(name, options)));
  members
    .command("wake")
    .description("Keep members awake for some time, whatever their schedule")
    .argument("<name...>", "the members")
    .requiredOption("--for <time>", "how long, such as 2h or 1h30m; 24h at most")
    .option("--stack <name>", "the members' stack, of which the files are read (default: the folder's only one)")
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
