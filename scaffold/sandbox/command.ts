import type { Command } from "commander";
import { run } from "../../commands/common/run.ts";

const examples = `
Examples:
  $ npm run sandbox                          start the cluster, with three members
  $ eval "$(npm run -s sandbox:env)"         use it with pulumi and kubectl
  $ npm run sandbox:down                     remove cluster, buckets and state
  $ KUBECAMP_SANDBOX=try npm run sandbox     start another sandbox`;

/** Actions are imported when called, so that other commands start fast. */
export function addSandboxCommand(program: Command): void {
  const sandbox = program
    .command("sandbox")
    .description("Try kubecamp: a local cluster with the stack 'dev'")
    .addHelpText("after", examples);
  sandbox
    .command("up")
    .description("get the tools, start the cluster and an S3 server, and deploy the stack")
    .action(() => run(async (signal) => (await import("./actions.ts")).up(signal)));
  sandbox
    .command("down")
    .description("remove the cluster, the state, and the S3 server with all buckets")
    .option("--tools", "remove the tools and downloaded plugins too, which all sandboxes share")
    .action((options: { tools?: boolean }) =>
      run(async (signal) => (await import("./actions.ts")).down(options.tools === true, signal)),
    );
  sandbox
    .command("env")
    .description("print export lines that point a shell at the sandbox")
    .addHelpText("after", '\nExample:\n  $ eval "$(npm run -s sandbox:env)" && pulumi preview --stack dev')
    .action(() => run(async () => (await import("./actions.ts")).env()));
}
