import type { BringUp } from "../../sandbox/actions.ts";
import { clusterSteps, runSteps } from "../../sandbox/journey/steps.ts";
import { downloadsOnly } from "./downloadsOnly.ts";

/** Brings up a cluster with nothing on it: the stacks are those of people's own projects. Safe to repeat. */
export const bringSandboxUp: BringUp = async (sandbox, options, prefix) => {
  await runSteps(clusterSteps(sandbox, options, downloadsOnly, process.cwd()).steps);
  return `
Next:
  eval "$(${prefix}npx kubecamp sandbox env)"

Then, in the folder of your project, which 'npx kubecamp init camp' makes:
  pulumi stack init dev
  pulumi up --stack dev

In one sandbox, two projects have the same stack 'dev'. Start another for the next one:
  KUBECAMP_SANDBOX=NAME npx kubecamp sandbox up`;
};
