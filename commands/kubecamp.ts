import { readFileSync } from "node:fs";
import { join } from "node:path";
import tab from "@bomb.sh/tab/commander";
import { Command, Help } from "commander";
import { addClusterCommand } from "./cluster/command.ts";
import { addImagesCommand } from "./images/command.ts";
import { addInitCommand } from "./init/command.ts";
import { addMembersCommand } from "./members/command.ts";
import { addPreviewCommand } from "./preview/command.ts";
import { addReportCommand } from "./report/command.ts";
import { addShardsCommand } from "./shards/command.ts";
import { addStateCommand } from "./state/command.ts";
import { addUpCommand } from "./up/command.ts";
import { addWatchCommand } from "./watch/command.ts";

const examples = `\
  $ npm run -s kubecamp -- members                              who is on the cluster, and how they are
  $ npm run -s kubecamp -- members check                        mistakes in the stacks' files, before anything runs
  $ npm run -s kubecamp -- members add bob --type user          bob in the list; 'members import' takes a whole roster
  $ npm run -s kubecamp -- members kubeconfig bob --stack prod  what bob signs in with
  $ npm run -s kubecamp -- members invite bob --stack prod      what bob needs on their first day, in one page
  $ npm run -s kubecamp -- cluster oidc --stack prod            what the API server needs for that
  $ npm run -s kubecamp -- images --stack prod                  what runs off its member's list of images
  $ npm run -s kubecamp -- report --stack prod                  what the next up changes for which member
  $ npm run -s kubecamp -- state rebuild --stack prod           Pulumi's state, where it is lost, from what the cluster has
  $ npm run -s kubecamp -- preview --stack prod                 what 'up' would change, also for a list split into shards
  $ npm run -s kubecamp -- up --stack prod                      bring up what differs, and no more
  $ npm run -s kubecamp -- watch --stack prod                   open and close routes as members make and delete their Services
  $ npm run -s kubecamp -- init camp                            a project of your own, with kubecamp as a package
  $ npm run -s kubecamp -- members --help                       more of each`;

const usual = new Help();

/**
 * Builds the command line.
 * @param first further examples, shown before those of these commands
 * @param addFurther adds further commands
 */
export function kubecampCommand(first = "", addFurther: (program: Command) => void = () => undefined): Command {
  const program = new Command("kubecamp")
    .description("Environments of their own for many people on one Kubernetes cluster")
    .showHelpAfterError("(run it with --help for the commands and examples)")
    .version(version(), "-V, --version")
    // Exit code 1 is for valid requests that fail, so wrong usage gets 2. The subcommands inherit this.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    // Hides commander's "(default: false)" on flags.
    .configureHelp({
      optionDescription: (option) => (option.isBoolean() ? option.description : usual.optionDescription(option)),
    })
    .enablePositionalOptions()
    .addHelpText("after", `\nExamples:\n${first}${examples}`);
  addMembersCommand(program);
  addImagesCommand(program);
  addClusterCommand(program);
  addReportCommand(program);
  addStateCommand(program);
  addShardsCommand(program);
  addPreviewCommand(program);
  addUpCommand(program);
  addWatchCommand(program);
  addInitCommand(program);
  addFurther(program);
  // Last, since it reads the commands that there are.
  tab(program);
  return program;
}

function version(): string {
  const text = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
