import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { stateFile, stateIn } from "../../config/sources/stateFile.ts";
import { type PulumiPlace, pulumiRead } from "../pulumiCommand.ts";
import { inWords } from "../pulumiWords.ts";

/** Minutes for a state, which can have hundreds of MiB. */
const mostExporting = 10;

/** From `pulumi stack export`, with encrypted secrets. @throws RunError with Pulumi's own words */
export async function exported(stack: PulumiPlace): Promise<Deployment> {
  return await inWords(`The state of stack '${stack.name}' can't be read`, async () =>
    JSON.parse(await pulumiRead(stack, ["stack", "export"], mostExporting)),
  );
}

/** From its local file if there is one. @throws RunError with Pulumi's own words */
export async function lastState(stack: PulumiPlace): Promise<Deployment> {
  const file = stateFile(stack.workspace.workDir, stack.name);
  return (file === undefined ? undefined : stateIn(file)) ?? (await exported(stack));
}
