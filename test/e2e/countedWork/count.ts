import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * `node --no-opt --no-maglev count.ts SIZES` prints how much work each task does for once, twice and ten times its size.
 * V8 does not count every run of optimized code, hence the flags.
 */
const repository = pathToFileURL(join(import.meta.dirname, "../../..")).href;
const ofProgram = ["config", "naming", "cluster", "plan", "components", "commands", "runs", "watch"].map(
  (folder) => `${repository}/${folder}/`,
);

// Starts before the project's code is compiled and stays open: code compiled without the profiler is not counted.
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const { tasks } = await import("./tasks.ts");

/**
 * Number of blocks of the project's own code (function bodies, loops, branches) that ran during `act`. Unlike time, it is
 * the same on every machine and in every run.
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#method-startPreciseCoverage
 */
async function workOf(act: () => unknown): Promise<number> {
  // Each call resets the counts.
  await session.post("Profiler.takePreciseCoverage");
  await act();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result
    .filter(({ url }) => ofProgram.some((folder) => url.startsWith(folder)))
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0);
}

const works: Record<string, number[]> = {};
for (const [name, size] of Object.entries(JSON.parse(process.argv[2] ?? "{}") as Record<keyof typeof tasks, number>)) {
  const task = tasks[name as keyof typeof tasks];
  // A first run does the work of once per process, such as building a schema.
  await (await task(3))();
  works[name] = [];
  for (const times of [1, 2, 10]) {
    works[name].push(await workOf(await task(times * size)));
  }
}
process.stdout.write(JSON.stringify(works));
