import type { ListrTask } from "listr2";
import { catalogue, type ToolName, type ToolPaths } from "../tools/catalogue.ts";
import { firstBuild } from "../tools/firstBuild.ts";
import { type BuildEvents, completeTools, type ToolchainOptions, takeInventory } from "../tools/toolchain.ts";

/** Shows a line for each tool to build, and passes the paths of all tools on. */
export function toolTask(options: ToolchainOptions, use: (tools: Promise<ToolPaths>) => void): ListrTask {
  return {
    title: "Tools",
    task: async (_context, task) => {
      const inventory = await takeInventory(options);
      const { missing } = inventory;
      if (missing.length === 0) {
        use(completeTools(inventory, options, silent));
        task.title = `Tools: ${catalogue.length} there already`;
        return undefined;
      }
      task.title = `Tools: ${missing.length} to build, ${firstBuild.time} the first time, seconds once Go has them cached`;
      const lines = new Map<ToolName, Line>(missing.map(({ name }) => [name, newLine()]));
      const all = completeTools(inventory, options, {
        onProgress: (tool, text) => lines.get(tool)?.show(text),
        onBuilt: (tool) => lines.get(tool)?.done.resolve(),
      });
      use(all);
      // A failed build must end the other lines too.
      all.catch((error: unknown) => {
        for (const line of lines.values()) line.done.reject(error);
      });
      return task.newListr(
        missing.map(({ name, version }) => ({
          title: `${name} ${version}`,
          task: async (_inner, row) => {
            const line = lines.get(name);
            if (line === undefined) return;
            line.show = (text) => {
              row.output = text;
            };
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
  readonly done: PromiseWithResolvers<void>;
}

const silent: BuildEvents = { onProgress: () => undefined, onBuilt: () => undefined };

function newLine(): Line {
  const done = Promise.withResolvers<void>();
  // The task that awaits the whole build reports the failure.
  done.promise.catch(() => undefined);
  return { show: () => undefined, done };
}
