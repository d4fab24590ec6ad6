import { type Command, Option } from "commander";
import { report } from "./run.ts";

const examples = `
Examples:
  $ npm run -s kubecamp -- members                  everybody on the current context's cluster
  $ npm run -s kubecamp -- members --stack prod -o wide
  $ npm run -s kubecamp -- members -o json | jq '.[] | select(.state == "pending") | .member'
  $ npm run -s kubecamp -- members check            mistakes in the stacks' files, without a cluster

What each column and key means: docs/commands.md`;

/** What is done is loaded when it is called for: half of it takes longer to load than to do. */
export function addMembersCommand(program: Command): void {
  program
    .command("members")
    .description("Who is on the cluster: state, quota used, route and expiry of each member")
    .enablePositionalOptions()
    .option("--stack <name>", "only the members of this stack")
    .option("--context <name>", "context of the kubeconfig (default: its current one)")
    .addOption(outputOption("table", "wide", "json"))
    .addHelpText("after", examples)
    .action((options) =>
      report(async () => {
        const { listMembers } = await import("./members/list.ts");
        await listMembers(options);
      }),
    );
}

function outputOption(...formats: readonly string[]): Option {
  return new Option("-o, --output <format>", "how it is printed").choices(formats).default(formats[0]);
}
