import { Listr, type ListrTask, PRESET_TIMER } from "listr2";
import { environmentOf } from "../environment.ts";
import type { KubernetesMinor } from "../kubernetes.ts";
import { shownPath } from "../paths.ts";
import { pluginWords } from "../plugins/pluginChoice.ts";
import { credentialsFile } from "../s3/s3Access.ts";
import { ensureS3 } from "../s3/s3Server.ts";
import { type Sandbox, s3Folder } from "../sandbox.ts";
import { type Plugins, startWith } from "../start.ts";
import { type ToolPaths, toolsOf } from "../tools/catalogue.ts";
import type { CommandContext } from "./commands.ts";
import { ensureNamespace } from "./example.ts";
import { stillRunning } from "./stillRunning.ts";
import { type ToolTaskOptions, toolTask } from "./toolTasks.ts";

interface StepOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly kubernetes: KubernetesMinor;
}

/** Substitutes for parts that can't be downloaded. */
export interface Substitutes extends Pick<ToolTaskOptions, "build" | "buildingTitle" | "instead"> {
  readonly plugins: Plugins;
}

interface ClusterSteps {
  readonly steps: readonly ListrTask[];
  /** How commands run on the sandbox, for steps after these. */
  readonly context: () => CommandContext;
}

/** Steps from nothing to a cluster for stacks: tools, cluster, S3 server. Safe to repeat. */
export function clusterSteps(
  sandbox: Sandbox,
  { environment, signal, kubernetes }: StepOptions,
  { plugins, ...building }: Substitutes,
  cwd: string,
): ClusterSteps {
  let tools: Promise<ToolPaths> | undefined;
  let context: CommandContext | undefined;
  const steps: ListrTask[] = [
    toolTask({ tools: toolsOf(kubernetes), environment, signal, ...building }, (found) => {
      tools = found;
    }),
    step("Cluster", async (say) => {
      const started = await startWith(plugins, sandbox, await known(tools), { environment, signal });
      context = { env: environmentOf(sandbox, started.plugins, environment.PATH), cwd, signal };
      say(`Cluster: ${serverWords[started.cluster]}; ${pluginWords(started.plugins)}`);
    }),
    step("S3 server", async (say) => {
      const folder = s3Folder(sandbox);
      const { versitygw } = await known(tools);
      const { state, endpoint } = await ensureS3({ folder, versitygw }, signal);
      const keys = shownPath(credentialsFile(folder));
      say(`S3 server: ${serverWords[state]}, ${endpoint}; its administrator's keys are in ${keys}`);
    }),
    step("Namespace of the ingress controller", () => ensureNamespace("ingress-nginx", known(context))),
  ];
  return { steps, context: () => known(context) };
}

/** Runs steps one after the other, and shows each. */
export async function runSteps(steps: readonly ListrTask[]): Promise<void> {
  await new Listr([...steps], {
    registerSignalListeners: false,
    rendererOptions: { timer: PRESET_TIMER, showErrorMessage: false, collapseSubtasks: false },
    fallbackRendererOptions: { timer: PRESET_TIMER },
  }).run();
}

type Say = (text: string) => void;

/** A step that shows a line of what it does, and a title of what came of it. */
export function step(title: string, work: (say: Say, show: Say) => Promise<void>): ListrTask {
  return {
    title,
    task: (_context, task) =>
      stillRunning(
        title,
        work(
          (text) => {
            task.title = text;
          },
          (line) => {
            // A piped display would keep every line; the summary has all that matters.
            if (process.stdout.isTTY) {
              task.output = line;
            }
          },
        ),
      ),
  };
}

const serverWords = { running: "runs already", started: "started again", created: "created" } as const;

/** Steps run in order, so that an earlier one's result is there. */
function known<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("a step of the sandbox ran before the one it builds on");
  }
  return value;
}
