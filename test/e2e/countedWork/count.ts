import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * `node --no-opt --no-maglev count.ts SIZES`: prints how much work each task is for once, twice and ten times its size. What
 * V8 has optimized it does not count every time, so that it must not.
 */
const repository = pathToFileURL(join(import.meta.dirname, "../../..")).href;
const ofProgram = ["config", "naming", "cluster", "plan", "components", "commands", "runs", "watch"].map(
  (folder) => `${repository}/${folder}/`,
);

// Before anything of the project is compiled, and never ended: what was compiled otherwise would not be counted.
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const { tasks } = await import("./tasks.ts");

/**
 * How often blocks of the project's own code ran while something was done: bodies of functions, loops and branches. Unlike
 * its time, that is the same on every machine and at every try.
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#method-startPreciseCoverage
 */
async function workOf(act: () => unknown): Promise<number> {
  // Counts begin anew each time that they are taken.
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
  // What is done once in a process, such as making a schema, is done before it is counted.
  await (await task(3))();
  works[name] = [];
  for (const times of [1, 2, 10]) {
    works[name].push(await workOf(await task(times * size)));
  }
}
process.stdout.write(JSON.stringify(works));
