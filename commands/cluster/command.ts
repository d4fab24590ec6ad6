import type { Command } from "commander";
import { outputOption } from "../common/outputOption.ts";
import { report } from "../common/run.ts";

const examples = `
Example:
  $ npm run -s kubecamp -- cluster oidc --stack prod > authentication.yaml

Exit codes: 0 printed, 1 the stack does not say how members sign in, 2 wrong usage.
How to hand it to kubeadm, k3s and managed clusters: docs/run/sign-in.md
CI jobs: docs/run/pipelines.md`;

/** Loads the implementation only when the command runs, so that other commands start fast. */
export function addClusterCommand(program: Command): void {
  const cluster = program
    .command("cluster")
    .description("Print cluster configuration that is no Kubernetes object")
    .addHelpText("after", examples);
  cluster
    .command("oidc")
    .description("Print the API server's AuthenticationConfiguration, with which members and their CI jobs sign in")
    .requiredOption("--stack <name>", "the Pulumi stack, of which the file in this folder is read")
    .addOption(outputOption("yaml", "json"))
    .addHelpText("after", examples)
    .action((options) => report(async () => (await import("./oidc.ts")).printAuthenticationConfiguration(options)));
}
