import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const repository = pathToFileURL(join(import.meta.dirname, "../..")).href;
const ofProgram = ["config", "naming", "cluster", "components", "commands", "runs", "watch"].map(
  (folder) => `${repository}/${folder}/`,
);

/**
 * How often blocks of the project's own code ran while something was done: bodies of functions, loops and branches. Unlike
 * its time, that is the same on every machine and at every try.
 * @see https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#method-startPreciseCoverage
 */
export async function workOf(act: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await act();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url }) => ofProgram.some((folder) => url.startsWith(folder)))
      .flatMap(({ functions }) => functions)
      .flatMap(({ ranges }) => ranges)
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}
