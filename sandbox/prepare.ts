import { choosePlugins, installStandIns } from "./plugins/standIns.ts";
import type { Sandbox } from "./sandbox.ts";
import { type Plugins, type StartOptions, startWith } from "./start.ts";
import type { ToolPaths } from "./tools/catalogue.ts";

/** A clone's steps: it has stand-ins for plugins that can't be downloaded. */
export const clonePlugins: Plugins = { choose: choosePlugins, install: installStandIns };

/** Starts a clone's sandbox and prepares Pulumi for its first stack. Safe to repeat. */
export const startSandbox = (sandbox: Sandbox, tools: ToolPaths, options: StartOptions) =>
  startWith(clonePlugins, sandbox, tools, options);
