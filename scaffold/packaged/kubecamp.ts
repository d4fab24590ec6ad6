import type { Command } from "commander";
import { kubecampCommand } from "../../commands/kubecamp.ts";
import { addSandboxCommand, type Edition } from "../sandbox/command.ts";

const example = `\
  Start a cluster on this machine, to try a project on:
  $ npx kubecamp sandbox up
`;

const ofPackage: Edition = {
  description: "A local Kubernetes API server, to try a project on",
  up: "download the tools, start the cluster and an S3 server; quick when it is up already",
  examples: `\
  Start a cluster on this machine:
  $ npx kubecamp sandbox up
  Use it with pulumi and kubectl:
  $ eval "$(npx kubecamp sandbox env)"
  Remove cluster, buckets and state:
  $ npx kubecamp sandbox down
  Start another one beside it:
  $ KUBECAMP_SANDBOX=try npx kubecamp sandbox up

Its files are in ~/.kubecamp.`,
  envExample: '  $ eval "$(npx kubecamp sandbox env)" && pulumi up --stack dev',
  bringUp: async () => (await import("./up.ts")).bringSandboxUp,
};

/** The product's command line with a package's `kubecamp sandbox` added. */
export function packagedCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, ofPackage));
}
