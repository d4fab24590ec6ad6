import type { Command } from "commander";
import { outputOption, report } from "../common/run.ts";

const examples = `
Example:
  $ kubecamp cluster oidc --stack prod > authentication.yaml

Exit codes: 0 printed, 1 the stack has no issuer, 2 wrong usage.
See docs/run/sign-in.md, for CI jobs docs/run/pipelines.md`;

export function addClusterCommand(program: Command): void {
  const cluster = program
    .command("cluster")
    .description("Print configuration for the cluster's API server")
    .addHelpText("after", examples);
  cluster
    .command("oidc")
    .description("Print the API server's AuthenticationConfiguration, for members and their CI jobs")
    .requiredOption("--stack <name>", "the Pulumi stack, with its file in this folder")
    .addOption(outputOption("yaml", "json"))
    .addHelpText("after", examples)
    .action((options) =>
      report(async () => (await import("./authenticationConfiguration.ts")).printAuthenticationConfiguration(options)),
    );
}
