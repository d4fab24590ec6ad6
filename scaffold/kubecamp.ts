import type { Command } from "commander";
import { kubecampCommand } from "../commands/kubecamp.ts";
import { addSandboxCommand } from "./sandbox/command.ts";

const example = `\
  $ npm run sandbox                                             start a cluster on this machine, with three members
`;

/** The product's command line with `kubecamp sandbox` added. */
export function scaffoldedCommand(): Command {
  const program = kubecampCommand(example);
  addSandboxCommand(program);
  return program;
}
