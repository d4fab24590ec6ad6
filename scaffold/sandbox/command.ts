import type { Command } from "commander";
import { run } from "../../commands/common/run.ts";

const examples = `
Examples:
  $ npm run sandbox                          from nothing to three members
  $ eval "$(npm run -s sandbox:env)"         plain pulumi and kubectl on it
  $ npm run sandbox:down                     removes cluster, buckets and state
  $ KUBECAMP_SANDBOX=try npm run sandbox     another one beside it`;

/** Actions are imported when called, so that other commands start fast. */
export function addSandboxCommand(program: Command): void {
  const sandbox = program
    .command("sandbox")
    .description("A local Kubernetes API server with the stack 'dev' on it, to try things on")
    .addHelpText("after", examples);
  sandbox
    .command("up")
    .description("get the tools, start the cluster and an S3 server, bring the stack up; quick when it is up already")
    .action(() => run(async (signal) => (await import("./actions.ts")).up(signal)));
  sandbox
    .command("down")
    .description("remove the cluster, its state and the S3 server with all buckets")
    .option("--tools", "remove the tools and downloaded plugins too, which all sandboxes share")
    .action((options: { tools?: boolean }) =>
      run(async (signal) => (await import("./actions.ts")).down(options.tools === true, signal)),
    );
  sandbox
    .command("env")
    .description("print export lines for a shell that works on the sandbox")
    .addHelpText("after", '\nExample:\n  $ eval "$(npm run -s sandbox:env)" && pulumi preview --stack dev')
    .action(() => run(async () => (await import("./actions.ts")).env()));
}
