import "./config/nodeSettings.ts";
import { inspectCluster, refuse } from "./components/inspect.ts";
import { keptHomes } from "./components/keptHomes.ts";
import { registerStack } from "./components/stack.ts";
import { warn } from "./components/warn.ts";
import { readTarget } from "./config/model/target.ts";
import { loadConfiguration } from "./config/sources/engine/engineConfiguration.ts";
import { pendingRoutes, statusesOf } from "./plan/findings/status.ts";

const { settings, members: list } = await loadConfiguration(keptHomes);
const run = await inspectCluster({ list, settings, target: readTarget(list, settings.stack) });
refuse(run);

const { stopped, drift, outcomes, late } = await registerStack(run);
const statuses = statusesOf(run.plan, run.target, outcomes);

/** Each member's namespace, state, and URL or reason. */
export const members = stopped.apply(() => statuses);
/** Members whose path is not open yet. */
export const pending = Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");

await warn([...drift.findings, ...pendingRoutes(run.target.members, statuses, late)]);
