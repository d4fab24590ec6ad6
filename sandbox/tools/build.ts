import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { execa } from "execa";
import { Interrupted, Problem } from "../../commands/common/problem.ts";
import { cachedTool, sourceOf } from "./cache.ts";
import type { Tool } from "./catalogue.ts";
import { firstBuild } from "./firstBuild.ts";

interface BuildOptions {
  /** Of Go. */
  readonly env: NodeJS.ProcessEnv;
  readonly cache: string;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/**
 * Builds a tool into the cache. Only `go run`, not `go build`, keeps linked programs in Go's own cache, from which the next
 * clone gets them in a second instead of thirty. `-exec cp` copies the program instead of running it.
 */
export async function buildTool(tool: Tool<string>, options: BuildOptions): Promise<void> {
  const target = cachedTool(tool, options.cache);
  // A temporary name until the file is complete.
  const partial = `${target}.partial-${process.pid}`;
  await mkdir(dirname(target), { recursive: true });
  const source = sourceOf(tool);
  const go = execa(
    "go",
    ["run", "-v", "-trimpath", "-ldflags", tool.linkerFlags, "-exec", "cp", source.package, partial],
    {
      cwd: source.folder ?? dirname(target),
      env: options.env,
      extendEnv: false,
      stdin: "ignore",
      reject: false,
      cancelSignal: options.signal,
      killSignal: "SIGINT",
    },
  );
  let compiled = 0;
  for await (const line of go.iterable({ from: "stderr" })) {
    if (line.startsWith("go: downloading ")) {
      options.onProgress(line.slice("go: ".length));
    } else if (!line.includes(" ")) {
      options.onProgress(`${++compiled} packages compiled, now ${line}`);
    }
  }
  const result = await go;
  try {
    if (options.signal.aborted || result.isCanceled || result.signal === "SIGINT") {
      throw new Interrupted();
    }
    if (result.exitCode !== 0) {
      throw buildProblem(tool, result.stderr || result.shortMessage || "");
    }
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

function buildProblem(tool: Tool<string>, stderr: string): Problem {
  const tail = stderr.split("\n").filter((line) => line.includes(" ") && !line.startsWith("go: downloading"));
  const why = tail.slice(-8).join("\n") || "go said nothing.";
  if (stderr.includes("no space left on device")) {
    return new Problem(`The disk is full: ${tool.name} could not be built.`, {
      why,
      remedy: `Free some space (a first build takes ${firstBuild.space}, most of it Go's caches) and run the same command again.`,
    });
  }
  return new Problem(`${tool.name} ${tool.version} could not be built.`, {
    why,
    remedy: `Run the same command again; what was compiled is kept. Or put ${tool.name} ${tool.version} on your PATH.`,
  });
}
