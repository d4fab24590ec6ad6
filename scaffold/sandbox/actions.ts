import { rm } from "node:fs/promises";
import { Problem } from "../../commands/common/problem.ts";
import { environmentOf, exportLines } from "./environment.ts";
import { bringSandboxUp } from "./journey/up.ts";
import { membersTable } from "./membersTable.ts";
import { downloads } from "./plugins/official.ts";
import { s3Endpoint } from "./s3/s3Access.ts";
import {
  aloneWith,
  defaultSandbox,
  readRecord,
  removeSandbox,
  type Sandbox,
  s3Folder,
  sandboxNamed,
} from "./sandbox.ts";
import { toolCache } from "./tools/cache.ts";

/** Brings the sandbox up, and prints commands to try. */
export async function up(signal: AbortSignal): Promise<void> {
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

/** Removes the sandbox, and with `tools` also the tools and plugins that all sandboxes share. */
export async function down(tools: boolean, signal: AbortSignal): Promise<void> {
  const sandbox = chosen();
  const existed = await aloneWith(sandbox, signal, waitingFor(sandbox), () => removeSandbox(sandbox));
  console.log(existed ? `Sandbox '${sandbox.name}' removed.` : `There was no sandbox '${sandbox.name}'.`);
  if (!tools) return;
  for (const folder of [toolCache, downloads]) await rm(folder, { recursive: true, force: true });
  console.log("Tools and plugins removed; Go keeps what it compiled in its own cache.");
}

/** Prints shell commands that point a shell at the sandbox. */
export async function env(): Promise<void> {
  const sandbox = chosen();
  const record = await readRecord(sandbox);
  if (record === undefined) {
    // For `eval`, so that it fails: the shell would otherwise stay on its former cluster.
    console.log("false");
    throw new Problem(`The sandbox '${sandbox.name}' is not up.`, {
      why: `There is no whole sandbox in ${sandbox.folder}.`,
      remedy: `Run '${namePrefix(sandbox)}npm run sandbox' first.`,
    });
  }
  const endpoint = await s3Endpoint(s3Folder(sandbox));
  // AWS's own tools read this variable.
  const s3 = endpoint === undefined ? {} : { AWS_ENDPOINT_URL_S3: endpoint };
  console.log(exportLines({ ...environmentOf(sandbox, record.plugins), ...s3 }));
}

function waitingFor(sandbox: Sandbox): (pid: number) => void {
  return (pid) => console.error(`Waiting for process ${pid}, which is at work on the sandbox '${sandbox.name}'…`);
}

/** Prefix of suggested commands, so that they use the same sandbox. */
function namePrefix({ name }: Sandbox): string {
  return name === defaultSandbox ? "" : `KUBECAMP_SANDBOX=${name} `;
}

function chosen(): Sandbox {
  return sandboxNamed(process.env.KUBECAMP_SANDBOX || undefined);
}
