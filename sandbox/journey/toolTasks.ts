import type { ListrTask } from "listr2";
import type { Tool, ToolName, ToolPaths } from "../tools/catalogue.ts";
import { type ToolchainOptions, takeInventory } from "../tools/inventory.ts";
import { type Build, provideTools } from "../tools/provide.ts";
import { isShared, silent, type Undownloaded } from "../tools/toolEvents.ts";
import { stillRunning } from "./stillRunning.ts";

export interface ToolTaskOptions extends ToolchainOptions {
  readonly tools: readonly Tool[];
  /** Makes what can't be downloaded. */
  readonly build: Build;
  /** Result for such a tool, such as `built`. */
  readonly instead: string;
  /** Title while it does. */
  readonly buildingTitle: (tools: readonly Undownloaded[]) => string;
}

/** Shows a line for each tool to get, and passes the paths of all tools on. */
export function toolTask(options: ToolTaskOptions, use: (tools: Promise<ToolPaths>) => void): ListrTask {
  return {
    title: "Tools",
    task: async (_context, task) => {
      const inventory = await takeInventory(options.tools, options);
      const { missing } = inventory;
      if (missing.length === 0) {
        use(provideTools(inventory, options, silent));
        task.title = `Tools: ${options.tools.length} there already`;
        return undefined;
      }
      task.title = `Tools: ${missing.length} to download`;
      const lines = new Map<ToolName, Line>(missing.map(({ name }) => [name, newLine()]));
      const all = provideTools(inventory, options, {
        // A piped display would keep every line.
        onDownloading: (tool, text) => process.stdout.isTTY && lines.get(tool)?.show(text),
        onProgress: (tool, text) => lines.get(tool)?.show(text),
        onBuilding: (tools) => {
          task.title = options.buildingTitle(tools);
          // A piped display shows titles at the end.
          if (!process.stdout.isTTY) {
            task.output = task.title;
          }
          for (const { tool, why } of tools.filter((each) => !isShared(each, tools))) {
            const line = lines.get(tool);
            if (line === undefined) {
              continue;
            }
            line.why = why;
            line.showWhy(why);
          }
        },
        onReady: (tool) => lines.get(tool)?.done.resolve(),
      });
      use(all);
      // A failed build must end the other lines too.
      stillRunning("Tools", all).catch((error: unknown) => {
        for (const line of lines.values()) {
          line.done.reject(error);
        }
      });
      return task.newListr(
        missing.map(({ name, version }) => ({
          title: `${name} ${version}`,
          task: async (_inner, row) => {
            const line = lines.get(name);
            if (line === undefined) {
              return;
            }
            line.show = (text) => {
              row.output = text;
            };
            line.showWhy = (why) => {
              row.title = `${name} ${version}: ${options.instead}, since ${why}`;
            };
            if (line.why !== undefined) {
              line.showWhy(line.why);
            }
            await line.done.promise;
          },
        })),
        { concurrent: true, exitOnError: true },
      );
    },
  };
}

interface Line {
  show: (text: string) => void;
  showWhy: (why: string) => void;
  /** Why the tool is built, which may be known before its line is there. */
  why?: string;
  readonly done: PromiseWithResolvers<void>;
}

function newLine(): Line {
  const done = Promise.withResolvers<void>();
  // The task that awaits all tools reports the failure.
  done.promise.catch(() => undefined);
  return { show: () => undefined, showWhy: () => undefined, done };
}
