import type { Command } from "commander";
import { kubecampCommand } from "../kubecamp.ts";
import { addSandboxCommand, type Edition } from "./command.ts";

const example = `\
  Start a cluster on this machine, with three members:
  $ kubecamp sandbox up
`;

const clone: Edition = {
  description: "Try kubecamp: a local cluster with the stack 'dev'",
  up: "Get the tools, start the cluster and an S3 server, bring the stack up; quick when it is up already",
  bringUp: async () => (await import("./journey/up.ts")).bringSandboxUp,
};

/** The product's command line with a clone's `kubecamp sandbox` added. */
export function clonesCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, clone));
}
