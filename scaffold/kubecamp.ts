import type { Command } from "commander";
import { kubecampCommand } from "../commands/kubecamp.ts";
import { addSandboxCommand, type Edition } from "./sandbox/command.ts";

const example = `\
  $ npm run sandbox                                             start a cluster on this machine, with three members
`;

const clone: Edition = {
  description: "Try kubecamp: a local cluster with the stack 'dev'",
  up: "get the tools, start the cluster and an S3 server, bring the stack up; quick when it is up already",
  examples: `\
  $ npm run sandbox                          start the cluster, with three members
  $ eval "$(npm run -s sandbox:env)"         use it with pulumi and kubectl
  $ npm run sandbox:down                     removes cluster, buckets and state
  $ KUBECAMP_SANDBOX=try npm run sandbox     another one beside it`,
  envExample: '  $ eval "$(npm run -s sandbox:env)" && pulumi preview --stack dev',
  bringUp: async () => (await import("./sandbox/journey/up.ts")).bringSandboxUp,
};

/** The product's command line with a clone's `kubecamp sandbox` added. */
export function scaffoldedCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, clone));
}
