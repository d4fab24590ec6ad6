import { type Command, Option } from "commander";
import { run } from "../commands/common/run.ts";
import type { BringUp } from "./actions.ts";
import { defaultKubernetes, type KubernetesMinor, kubernetesMinors } from "./kubernetes.ts";

const examples = `
Examples:
  Start the cluster:
  $ kubecamp sandbox up
  Use it with pulumi and kubectl:
  $ eval "$(kubecamp sandbox env)"
  Remove cluster, buckets and state:
  $ kubecamp sandbox down
  Start another one beside it:
  $ KUBECAMP_SANDBOX=try kubecamp sandbox up

See docs/start/sandbox.md`;

/** Texts and actions that differ between a clone's sandbox and a package's. */
export interface Edition {
  /** Of `kubecamp sandbox`. */
  readonly description: string;
  /** Of `kubecamp sandbox up`. */
  readonly up: string;
  readonly bringUp: () => Promise<BringUp>;
}

/** Actions are imported when called, so that other commands start fast. */
export function addSandboxCommand(program: Command, edition: Edition): void {
  const actions = () => import("./actions.ts");
  const sandbox = program.command("sandbox").description(edition.description).addHelpText("after", examples);
  sandbox
    .command("up")
    .description(edition.up)
    .addOption(
      new Option("--kubernetes <version>", `Kubernetes of a new cluster, by default ${defaultKubernetes}`).choices(
        kubernetesMinors,
      ),
    )
    .addHelpText("after", examples)
    .action(({ kubernetes }: { kubernetes?: KubernetesMinor }) =>
      run(async (signal) => (await actions()).up(await edition.bringUp(), kubernetes, signal)),
    );
  sandbox
    .command("down")
    .description("Remove the cluster, the state, and the S3 server with all buckets")
    .option("--tools", "remove the tools and downloaded plugins too, which all sandboxes share")
    .action((options: { tools?: boolean }) =>
      run(async (signal) => (await actions()).down(options.tools === true, signal)),
    );
  sandbox
    .command("env")
    .description("Print export lines that point a shell at the sandbox")
    .addHelpText("after", '\nExample:\n  $ eval "$(kubecamp sandbox env)" && pulumi preview --stack dev')
    .action(() => run(async () => (await actions()).env()));
  sandbox
    .command("status")
    .description("Print what runs")
    .addHelpText("after", "\nExit codes: 0 all of it runs; 1 it is not up, or a part has stopped; 2 wrong usage.")
    .action(() => run(async () => (await actions()).status()));
}
