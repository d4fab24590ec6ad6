import type { Command } from "commander";
import { outputOption } from "../../common/outputOption.ts";
import { report } from "../../common/run.ts";

const examples = `
Examples:
  $ npm run -s kubecamp -- members invite bob --stack prod > bob.md
  $ npm run -s kubecamp -- members invite bob --stack prod -o html > bob.html
  $ npm run -s kubecamp -- members invite --all --stack prod -o html --out invitations
  $ npm run -s kubecamp -- members invite bob --stack prod --template welcome.md

Nothing in it is secret. It asks no cluster: after the next 'up', it holds.
Exit codes: 0 printed or written, 1 there is no such member, or a file can't be read or written, 2 wrong usage.
What is in it, and how to word it: docs/run/invite.md`;

/** Adds the command that makes invitations. It loads its implementation only when it runs. */
export function addInviteCommand(members: Command): void {
  const invite = members
    .command("invite")
    .description("Print what a member needs on their first day, in one page to send")
    .argument("[name...]", "the members")
    .requiredOption("--stack <name>", "the members' stack, of which the files in this folder are read")
    .option("--all", "for everybody in the list", false)
    .option("--out <folder>", "write a file for each member into this folder, in place of earlier ones")
    .option("--template <file>", "the page in Markdown, with placeholders (default: kubecamp's own)")
    .option(
      "--context <name>",
      "context of your kubeconfig that has the cluster (default: the stack's, or the current one)",
    )
    .option("--server <url>", "the API server as members reach it (default: as that context does)")
    .option("--certificate-authority <file>", "CA of the API server's certificate (default: that context's)")
    .addOption(outputOption("markdown", "html", "text"))
    .addHelpText("after", examples)
    .action(async (names: readonly string[], options) => {
      if (options.all === names.length > 0) {
        invite.error("error: name members, or give '--all'");
      }
      if (options.out === undefined && (options.all || names.length > 1)) {
        invite.error("error: several invitations need '--out <folder>'");
      }
      await report(async () => (await import("./invite.ts")).invite(names, options));
    });
}
