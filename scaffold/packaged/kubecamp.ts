import type { Command } from "commander";
import { kubecampCommand } from "../../commands/kubecamp.ts";
import { addSandboxCommand, type Edition } from "../sandbox/command.ts";

const example = `\
  $ npx kubecamp sandbox up                           a cluster on this machine, to try a project on
`;

const ofPackage: Edition = {
  description: "A local Kubernetes API server, to try a project on",
  up: "download the tools, start the cluster and an S3 server; quick when it is up already",
  examples: `\
  $ npx kubecamp sandbox up                          a cluster on this machine
  $ eval "$(npx kubecamp sandbox env)"               use it with pulumi and kubectl
  $ npx kubecamp sandbox down                        removes cluster, buckets and state
  $ KUBECAMP_SANDBOX=try npx kubecamp sandbox up     another one beside it

Its files are in ~/.kubecamp.`,
  envExample: '  $ eval "$(npx kubecamp sandbox env)" && pulumi up --stack dev',
  bringUp: async () => (await import("./up.ts")).bringSandboxUp,
};

/** The product's command line with a package's `kubecamp sandbox` added. */
export function packagedCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, ofPackage));
}
