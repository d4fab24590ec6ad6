import { atItsEnd } from "../../../runs/checkpoints.ts";
import { environmentOf } from "../../sandbox/environment.ts";
import { ownPath } from "../../sandbox/paths.ts";
import type { PluginChoice } from "../../sandbox/plugins/pluginChoice.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** What would make a run quicker or slower than a person's, or lead it elsewhere. */
const telling = /^(PULUMI_|KUBECAMP_|NODE_OPTIONS$|NODE_DEBUG|GOGC$|GOMEMLIMIT$|GOMAXPROCS$|GODEBUG$|KUBECTL_|HELM_)/;

/** With this, Pulumi asks for differences side by side, writes its state down at the end alone, and no log of its own. */
export const quickEnvironment = (pulumiHome: string): Record<string, string> => ({
  ...atItsEnd,
  PULUMI_PARALLEL_DIFF: "true",
  PULUMI_HOME: pulumiHome,
});

/** The sandbox's environment, and of the caller's own all that can't change what is measured. */
export function measuredEnvironment(
  sandbox: Sandbox,
  plugins: PluginChoice,
  callers: NodeJS.ProcessEnv,
): Record<string, string> {
  const kept = Object.entries(callers).flatMap(([name, value]) =>
    value === undefined || telling.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), ...environmentOf(sandbox, plugins, ownPath(callers)) };
}
