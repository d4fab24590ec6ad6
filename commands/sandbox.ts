import { rm } from "node:fs/promises";
import type { Command } from "commander";
import { environmentOf, exportLines } from "../sandbox/environment.ts";
import { membersTable } from "../sandbox/journey/table.ts";
import { bringSandboxUp } from "../sandbox/journey/up.ts";
import { downloads } from "../sandbox/plugins/official.ts";
import { Problem } from "../sandbox/problem.ts";
import {
  aloneWith,
  defaultSandbox,
  readRecord,
  removeSandbox,
  type Sandbox,
  sandboxNamed,
} from "../sandbox/sandbox.ts";
import { toolCache } from "../sandbox/tools/cache.ts";
import { run } from "./run.ts";

const examples = `
Examples:
  $ npm run sandbox                          from nothing to three members
  $ eval "$(npm run -s sandbox:env)"         plain pulumi and kubectl on it
  $ npm run sandbox:down                     removes cluster and state
  $ KUBECAMP_SANDBOX=try npm run sandbox     another one beside it`;

export function addSandboxCommand(program: Command): void {
  const sandbox = program
    .command("sandbox")
    .description("A local Kubernetes API server with the stack 'dev' on it, to try things on")
    .addHelpText("after", examples);
  sandbox
    .command("up")
    .description("build the tools, start the cluster, bring the stack up; quick when it is up already")
    .action(() => run(up));
  sandbox
    .command("down")
    .description("remove the cluster and its state")
    .option("--tools", "remove the built tools and downloaded plugins too, which all sandboxes share")
    .action((options: { tools?: boolean }) => run((signal) => down(options.tools === true, signal)));
  sandbox
    .command("env")
    .description("print export lines for a shell that works on the sandbox")
    .addHelpText("after", '\nExample:\n  $ eval "$(npm run -s sandbox:env)" && pulumi preview --stack dev')
    .action(() => run(env));
}

async function up(signal: AbortSignal): Promise<void> {
  const sandbox = chosen();
  const members = await aloneWith(sandbox, signal, waitingFor(sandbox), () =>
    bringSandboxUp(sandbox, { environment: process.env, signal }),
  );
  const prefix = namePrefix(sandbox);
  console.log(`
${membersTable(members)}

Try next:
  eval "$(${prefix}npm run -s sandbox:env)"
  pulumi preview --stack dev
  kubectl get ingress,service -n ingress-nginx`);
}

async function down(tools: boolean, signal: AbortSignal): Promise<void> {
  const sandbox = chosen();
  const existed = await aloneWith(sandbox, signal, waitingFor(sandbox), () => removeSandbox(sandbox));
  console.log(existed ? `Sandbox '${sandbox.name}' removed.` : `There was no sandbox '${sandbox.name}'.`);
  if (!tools) return;
  for (const folder of [toolCache, downloads]) await rm(folder, { recursive: true, force: true });
  console.log("Tools and plugins removed; Go keeps what it compiled in its own cache.");
}

async function env(): Promise<void> {
  const sandbox = chosen();
  const record = await readRecord(sandbox);
  if (record === undefined) {
    // For eval: a shell that went on would be on whatever cluster it was on before.
    console.log("false");
    throw new Problem(`The sandbox '${sandbox.name}' is not up.`, {
      why: `There is no whole sandbox in ${sandbox.folder}.`,
      remedy: `Run '${namePrefix(sandbox)}npm run sandbox' first.`,
    });
  }
  console.log(exportLines(environmentOf(sandbox, record.plugins)));
}

function waitingFor(sandbox: Sandbox): (pid: number) => void {
  return (pid) => console.error(`Waiting for process ${pid}, which is at work on the sandbox '${sandbox.name}'…`);
}

/** What a command that we suggest needs in order to be about the same sandbox. */
function namePrefix({ name }: Sandbox): string {
  return name === defaultSandbox ? "" : `KUBECAMP_SANDBOX=${name} `;
}

function chosen(): Sandbox {
  return sandboxNamed(process.env.KUBECAMP_SANDBOX || undefined);
}
