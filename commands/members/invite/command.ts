import type { Command } from "commander";
import { outputOption, report } from "../../common/run.ts";
import { whereOption } from "../where.ts";

const examples = `
Examples:
  $ kubecamp members invite bob --stack prod > bob.md
  $ kubecamp members invite bob --stack prod -o html > bob.html
  $ kubecamp members invite --all --stack prod -o html --out invitations
  $ kubecamp members invite --where labels.course=cs101 --stack prod -o html --out invitations
  $ kubecamp members invite bob --stack prod --template welcome.md

The page has no secret. The command reads only files: run 'up' before you send
the page.
Exit codes: 0 printed or written, 1 no such member, or a file can't be read or
written, 2 wrong usage.
See docs/run/invite.md`;

export function addInviteCommand(members: Command): void {
  const invite = members
    .command("invite")
    .description("Print a page with all that a member needs on the first day")
    .argument("[name...]", "the members")
    .requiredOption("--stack <name>", "the members' stack, with its files in this folder")
    .option("--all", "for all members in the list", false)
    .addOption(whereOption())
    .option("--out <folder>", "write a file for each member into this folder, over existing ones")
    .option("--template <file>", "Markdown with placeholders (default: kubecamp's own)")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .option("--server <url>", "URL of the API server for members (default: the context's)")
    .option("--certificate-authority <file>", "CA of the API server's certificate (default: the context's)")
    .addOption(outputOption("markdown", "html"))
    .addHelpText("after", examples)
    .action(async (names: readonly string[], options) => {
      const ways = [names.length > 0, options.all, options.where !== undefined];
      if (ways.filter((isGiven) => isGiven).length !== 1) {
        invite.error("error: name members, or give '--all' or '--where'");
      }
      if (options.out === undefined && names.length !== 1) {
        invite.error("error: several invitations need '--out <folder>'");
      }
      await report(async () => (await import("./invite.ts")).invite(names, options));
    });
}
