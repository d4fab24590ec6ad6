import { environmentOf } from "../../sandbox/environment.ts";
import { ownPath } from "../../sandbox/paths.ts";
import type { PluginChoice } from "../../sandbox/plugins/pluginChoice.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** Variables that would change a run's speed or target. */
const telling = /^(PULUMI_|KUBECAMP_|NODE_OPTIONS$|NODE_DEBUG|GOGC$|GOMEMLIMIT$|GOMAXPROCS$|GODEBUG$|KUBECTL_|HELM_)/;

/** The sandbox's environment, with those of the caller's variables that can't affect a measurement. */
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
