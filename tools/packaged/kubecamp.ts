import type { Command } from "commander";
import { kubecampCommand } from "../../kubecamp.ts";
import { addSandboxCommand, type Edition } from "../../sandbox/command.ts";

const example = `\
  Start a cluster on this machine, to try a project on:
  $ kubecamp sandbox up
`;

const ofPackage: Edition = {
  description: "A local Kubernetes API server, to try a project on; its files are in ~/.kubecamp",
  up: "Download the tools, start the cluster and an S3 server; quick when it is up already",
  bringUp: async () => (await import("./up.ts")).bringSandboxUp,
};

/** The product's command line with a package's `kubecamp sandbox` added. */
export function packagedCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, ofPackage));
}
