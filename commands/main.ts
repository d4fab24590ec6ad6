import "./colour.ts";
import { Command } from "commander";
import { addMembersCommand } from "./members.ts";
import { addSandboxCommand } from "./sandbox.ts";

const examples = `
Examples:
  $ npm run sandbox                              a cluster on this machine, with three members
  $ npm run -s kubecamp -- members               who is on the cluster, and how they are
  $ npm run -s kubecamp -- members check         mistakes in the stacks' files, before anything runs
  $ npm run -s kubecamp -- members --help        more of each`;

const program = new Command("kubecamp")
  .description("Environments of their own for many people on one Kubernetes cluster")
  .showHelpAfterError("(run it with --help for the commands and examples)")
  .enablePositionalOptions()
  .addHelpText("after", examples);
addMembersCommand(program);
addSandboxCommand(program);
await program.parseAsync();
