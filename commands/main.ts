import "./colour.ts";
import { Command } from "commander";
import { addSandboxCommand } from "./sandbox.ts";

const program = new Command("kubecamp")
  .description("Environments of their own for many people on one Kubernetes cluster")
  .showHelpAfterError("(run it with --help for the commands and examples)");
addSandboxCommand(program);
await program.parseAsync();
