import "./commands/common/colour.ts";
import tab from "@bomb.sh/tab/commander";
import { Command, Help } from "commander";
import { addClusterCommand } from "./commands/cluster/command.ts";
import { addImagesCommand } from "./commands/images/command.ts";
import { addInitCommand } from "./commands/init/command.ts";
import { addMembersCommand } from "./commands/members/command.ts";
import { addPreviewCommand } from "./commands/preview/command.ts";
import { addReportCommand } from "./commands/report/command.ts";
import { addShardsCommand } from "./commands/shards/command.ts";
import { addStaffCommand } from "./commands/staff/command.ts";
import { addUpCommand } from "./commands/up/command.ts";
import { addVerifyCommand } from "./commands/verify/command.ts";
import { withPages } from "./config/values/pages.ts";
import { version } from "./config/values/version.ts";
import { addWatchCommand } from "./watch/command.ts";

const examples = `\
  Report what 'up' would change:
  $ kubecamp preview --stack prod
  Update the members who differ:
  $ kubecamp up --stack prod
  List members with state, quota and route:
  $ kubecamp members
  Options and examples of a command:
  $ kubecamp members --help

All commands: docs/reference/commands.md`;

/**
 * In the order of help and docs/reference/commands.md: how often an admin needs them. Each loads its implementation only
 * when it runs, so that the others start fast.
 */
const commands = [
  addPreviewCommand,
  addUpCommand,
  addMembersCommand,
  addStaffCommand,
  addWatchCommand,
  addReportCommand,
  (program: Command) =>
    addVerifyCommand(program, async (job) => (await import("./watch/manifests/printVerifyJob.ts")).printVerifyJob(job)),
  addImagesCommand,
  addClusterCommand,
  addShardsCommand,
  addInitCommand,
];

const usual = new Help();

/**
 * Builds the command line.
 * @param first further examples, shown before those of these commands
 * @param addFurther adds further commands
 */
export function kubecampCommand(first = "", addFurther: (program: Command) => void = () => undefined): Command {
  const program = new Command("kubecamp")
    .description("Environments for the members of a shared Kubernetes cluster")
    .showHelpAfterError("(run it with --help for the commands and examples)")
    .version(version, "-V, --version")
    // Exit code 1 is for valid requests that fail, so wrong usage gets 2. The subcommands inherit this.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .configureOutput({
      writeOut: (text) => process.stdout.write(withPages(text)),
      writeErr: (text) => process.stderr.write(withPages(text)),
    })
    // Hides commander's "(default: false)" on flags, and "(default: [])" on options that may be given several times.
    .configureHelp({
      optionDescription: (option) =>
        usual.optionDescription(option).replace(/ \(default: (false|\[\])\)$/, "") +
        (option.mandatory ? " (required)" : ""),
    })
    .enablePositionalOptions()
    .addHelpText("after", `\nExamples:\n${first}${examples}`);
  for (const add of [...commands, addFurther]) {
    add(program);
  }
  // Last, since it reads the commands that there are.
  tab(program);
  program.commands
    .find((command) => command.name() === "complete")
    ?.addHelpText("after", "\nExample:\n  $ source <(kubecamp complete bash)\n\nSee docs/start/project.md");
  return program;
}
