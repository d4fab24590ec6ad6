import type { Command } from "commander";
import { kubecampCommand } from "../commands/kubecamp.ts";
import { addSandboxCommand, type Edition } from "./sandbox/command.ts";

const example = `\
  Start a cluster on this machine, with three members:
  $ npm run sandbox
`;

const clone: Edition = {
  description: "Try kubecamp: a local cluster with the stack 'dev'",
  up: "get the tools, start the cluster and an S3 server, bring the stack up; quick when it is up already",
  examples: `\
  Start the cluster, with three members:
  $ npm run sandbox
  Use it with pulumi and kubectl:
  $ eval "$(npm run -s sandbox:env)"
  Remove cluster, buckets and state:
  $ npm run sandbox:down
  Start another one beside it:
  $ KUBECAMP_SANDBOX=try npm run sandbox`,
  envExample: '  $ eval "$(npm run -s sandbox:env)" && pulumi preview --stack dev',
  bringUp: async () => (await import("./sandbox/journey/up.ts")).bringSandboxUp,
};

/** The product's command line with a clone's `kubecamp sandbox` added. */
export function scaffoldedCommand(): Command {
  return kubecampCommand(example, (program) => addSandboxCommand(program, clone));
}
