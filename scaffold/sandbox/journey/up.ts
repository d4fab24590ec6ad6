import { relative } from "node:path";
import { Listr, type ListrTask, PRESET_TIMER } from "listr2";
import type { MemberStatus } from "../../../plan/findings/status.ts";
import { environmentOf } from "../environment.ts";
import { repository } from "../paths.ts";
import type { PluginChoice } from "../plugins/pluginChoice.ts";
import { startSandbox } from "../prepare.ts";
import { credentialsFile } from "../s3/s3Access.ts";
import { ensureS3 } from "../s3/s3Server.ts";
import { type Sandbox, s3Folder } from "../sandbox.ts";
import type { ToolPaths } from "../tools/catalogue.ts";
import type { CommandContext } from "./commands.ts";
import { ensureNamespace, exampleMember, runExample } from "./example.ts";
import { bringUp, readMembers, selectStack } from "./stack.ts";
import { toolTask } from "./toolTasks.ts";

interface JourneyOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Folder of the Pulumi program. */
  readonly program?: string;
}

/** Brings up everything: a stack with three members, one with a running application. Safe to repeat. */
export async function bringSandboxUp(sandbox: Sandbox, options: JourneyOptions): Promise<Record<string, MemberStatus>> {
  let tools: Promise<ToolPaths> | undefined;
  let context: CommandContext | undefined;
  let members: Record<string, MemberStatus> = {};

  const steps: ListrTask[] = [
    toolTask(options, (found) => {
      tools = found;
    }),
    step("Cluster", async (say) => {
      const started = await startSandbox(sandbox, await known(tools), options);
      context = {
        env: environmentOf(sandbox, started.plugins, options.environment.PATH),
        cwd: options.program ?? repository,
        signal: options.signal,
      };
      say(`Cluster: ${serverWords[started.cluster]}; ${pluginWords(started.plugins)}`);
    }),
    step("S3 server", async (say) => {
      const folder = s3Folder(sandbox);
      const { versitygw } = await known(tools);
      const { state, endpoint } = await ensureS3({ folder, versitygw }, options.signal);
      const keys = relative(repository, credentialsFile(folder));
      say(`S3 server: ${serverWords[state]}, ${endpoint}; its administrator's keys are in ${keys}`);
    }),
    step("Namespace of the ingress controller", () => ensureNamespace("ingress-nginx", known(context))),
    step("Stack 'dev'", async (say, show) => {
      const shown = { ...known(context), onLine: show };
      await selectStack(sandbox, shown);
      say(`Stack 'dev': ${changeWords(await bringUp(shown))}`);
    }),
    step(`Application of the member ${exampleMember}`, async (say) => {
      say(`Application of the member ${exampleMember}: ${changeWords(await runExample(known(context)))}`);
      members = await readMembers(known(context));
    }),
    step("Its route", async (say, show) => {
      if (members[exampleMember]?.state === "ready") return say("Its route: unchanged");
      const changed = await bringUp({ ...known(context), onLine: show });
      members = await readMembers(known(context));
      return say(`Its route: ${changeWords(changed)}`);
    }),
  ];
  await new Listr(steps, {
    registerSignalListeners: false,
    rendererOptions: { timer: PRESET_TIMER, showErrorMessage: false, collapseSubtasks: false },
    fallbackRendererOptions: { timer: PRESET_TIMER },
  }).run();
  return members;
}

type Say = (text: string) => void;

function step(title: string, work: (say: Say, show: Say) => Promise<void>): ListrTask {
  return {
    title,
    task: (_context, task) =>
      work(
        (text) => {
          task.title = text;
        },
        (line) => {
          // A piped display would keep every line; the summary has all that matters.
          if (process.stdout.isTTY) task.output = line;
        },
      ),
  };
}

const serverWords = { running: "runs already", started: "started again", created: "created" } as const;

function changeWords(changed: boolean): string {
  return changed ? "up" : "unchanged";
}

function pluginWords({ kubernetes, languageHost }: PluginChoice): string {
  return `Kubernetes plugin: ${kubernetes}, language host: ${languageHost}`;
}

/** Steps run in order, so that an earlier one's result is there. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a step of the sandbox ran before the one it builds on");
  return value;
}
