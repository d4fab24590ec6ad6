import type { Command } from "commander";
import { kubecampCommand } from "../commands/kubecamp.ts";
import { addSandboxCommand, type Edition } from "./sandbox/command.ts";

const example = `\
  $ npm run sandbox                                             a cluster on this machine, with three members
`;

const clone: Edition = {
  description: "A local Kubernetes API server with the stack 'dev' on it, to try things on",
  up: "get the tools, start the cluster and an S3 server, bring the stack up; quick when it is up already",
  examples: `\
  $ npm run sandbox                          from nothing to three members
  $ eval "$(npm run -s sandbox:env)"         plain pulumi and kubectl on it
  $ npm run sandbox:down                     removes cluster, buckets and state
  $ KUBECAMP_SANDBOX=try npm run sandbox     another one beside it`,
  envExample: '  $ eval "$(npm run -s sandbox:env)" && pulumi preview --stack dev',
  bringUp: async () => (await import("./sandbox/journey/up.ts")).bringSandboxUp,
};

/** The product's command line with a clone's `kubecamp sandbox` added. */
export function scaffoldedCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, clone));
}
