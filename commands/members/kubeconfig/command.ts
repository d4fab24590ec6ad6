import type { Command } from "commander";
import { withPages } from "../../../config/values/pages.ts";
import { outputOption, report } from "../../common/run.ts";
import type { KubeconfigOptions } from "./memberKubeconfig.ts";

const examples = `
Examples:
  $ kubecamp members kubeconfig bob --stack prod > bob.kubeconfig
  $ kubecamp members kubeconfig bob --stack prod --server https://k8s.example.org:6443

The kubeconfig has no secret: the member signs in at the issuer, through kubelogin.
Exit codes: 0 printed, 1 no such member, or no issuer, 2 wrong usage.
See docs/run/sign-in.md, for members docs/members/sign-in.md`;

export function addKubeconfigCommand(members: Command): void {
  members
    .command("kubeconfig")
    .description("Print a member's kubeconfig")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, with its files in this folder")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .option("--server <url>", "URL of the API server for members (default: the context's)")
    .option("--certificate-authority <file>", "CA of the API server's certificate (default: the context's)")
    .addOption(outputOption("yaml", "json"))
    .addHelpText("after", examples)
    .action((name, options) => report(() => printKubeconfig(name, options)));
}

async function printKubeconfig(
  name: string,
  { output, ...options }: KubeconfigOptions & { readonly output: "yaml" | "json" },
): Promise<void> {
  const { stringify } = await import("yaml");
  const { kubeconfigFor } = await import("./memberKubeconfig.ts");
  const { kubeconfig, notes } = kubeconfigFor(name, options, process.cwd());
  for (const note of notes) {
    console.error(withPages(`Note: ${note}`));
  }
  console.log(
    output === "json" ? JSON.stringify(kubeconfig, null, 2) : stringify(kubeconfig, { lineWidth: 0 }).trimEnd(),
  );
}
