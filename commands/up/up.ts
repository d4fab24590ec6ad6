import { resolve } from "node:path";
import { stacksOf } from "../../config/shards.ts";
import { Progress } from "../../runs/progress.ts";
import { type Display, type Line, liveDisplay, plainDisplay } from "./display.ts";
import { inParallel } from "./inParallel.ts";
import { Clusters, type OpenStack, openedStack } from "./looking.ts";
import { isFailure, resultJson, resultText } from "./resultText.ts";
import { type Asked, type StackResult, upStack } from "./upStack.ts";

/** What the command line says. */
export interface UpOptions {
  readonly stack: string;
  /** The project's, with `Pulumi.yaml`. */
  readonly folder: string;
  /** Names of members; none: whatever differs. */
  readonly member: readonly string[];
  readonly all: boolean;
  readonly refresh: boolean;
  /** Stacks that are brought up at a time. */
  readonly parallel: number;
  readonly output: "text" | "json";
}

/**
 * Brings up what differs of a stack, or of each shard of a list, and prints what became of it. The exit code is 1 if any
 * of them is not as it is declared now.
 */
export async function up(options: UpOptions, signal: AbortSignal): Promise<void> {
  const folder = resolve(options.folder);
  const stacks = stacksOf(folder, options.stack);
  const lines = stacks.map((stack): Line => ({ stack, stage: "waits", text: "", since: 0, progress: new Progress() }));
  const display = displayOf(lines);
  const clusters = new Clusters((line) => display.tell(line));
  const results = await inParallel(lines, options.parallel, (line) =>
    upOne(line, () => openedStack(folder, line.stack), askedOf(options), clusters, display, signal),
  ).finally(() => display.close());
  console.log(
    options.output === "json"
      ? JSON.stringify(resultJson(results), null, 2)
      : resultText(results, process.stdout.columns),
  );
  if (results.some(isFailure)) {
    process.exitCode = 1;
  }
}

const askedOf = ({ member, all, refresh }: UpOptions): Asked => ({ members: member, all, refresh });

function displayOf(lines: readonly Line[]): Display {
  const { stderr } = process;
  return stderr.isTTY
    ? liveDisplay(lines, stderr, () => performance.now())
    : plainDisplay((line) => void stderr.write(`${line}\n`));
}

async function upOne(
  line: Line,
  open: () => Promise<OpenStack>,
  asked: Asked,
  clusters: Clusters,
  display: Display,
  signal: AbortSignal,
): Promise<StackResult> {
  const show = (stage: Line["stage"], text: string) => {
    Object.assign(line, { stage, text });
    display.changed(line);
  };
  line.since = performance.now();
  const result = await upStack(line.stack, open, asked, clusters, line.progress, {
    stage: (stage, what) => show(stage === "looking" ? "looks" : "runs", what),
    signal,
  });
  const seconds = Math.round((performance.now() - line.since) / 1000);
  show("ended", `${result.outcome} after ${seconds} s`);
  return result;
}
