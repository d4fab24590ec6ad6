import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { narrowing } from "../../config/model/target.ts";
import { fileRefusal } from "../../config/sources/load.ts";
import { errorText } from "../../runs/pulumiWords.ts";
import { shortName } from "../../runs/selectedStack.ts";
import type { TargetedStart } from "../../runs/targetedRun.ts";
import { Interrupted, Problem } from "../common/problem.ts";
import { type Digest, readDigest } from "./digest.ts";

/** Result of `pulumi preview`. */
interface Preview {
  readonly stdout: string;
  /** Reason why it failed, in Pulumi's own words if stderr has any; undefined if it succeeded. */
  readonly failure: string | undefined;
}

/** Milliseconds for Pulumi to end its plugins and the program after SIGINT, before SIGKILL. */
const grace = 10_000;

interface PreviewParts {
  /** Receives messages. */
  readonly notify: (line: string) => void;
  readonly signal: AbortSignal;
  /** The project's folder. Default: the current one. */
  readonly folder?: string;
  /** Targets. Default: everybody. */
  readonly target?: TargetedStart;
  /** Additional environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs `pulumi preview --json` with the current environment.
 * @throws Problem when there is no Pulumi, or the environment would narrow the preview; Interrupted when the signal has
 * ended it
 */
export async function runPreview(
  stack: string,
  refresh: boolean,
  { notify, signal, folder = ".", target, env: own }: PreviewParts,
): Promise<Preview> {
  const narrowed = narrowing(process.env);
  if (narrowed.length > 0) {
    throw new Problem(`${narrowed.join(" and ")} in the environment would narrow the preview.`, {
      why: "It would not show what happens to all other members, such as removed ones.",
      remedy: `Run 'unset ${narrowed.join(" ")}', then start again.`,
    });
  }
  const args = ["preview", "--json", "--stack", stack, ...(refresh ? ["--refresh"] : [])];
  const targets = (target?.target ?? []).flatMap((urn) => ["--target", urn]);
  // A single document, even if the environment asks for streaming.
  const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _, ...inherited } = process.env;
  const env = { ...inherited, ...own, ...target?.env };
  // Its own process group: otherwise Ctrl-C would arrive twice, from the terminal and from here, and the second means
  // "at once".
  const child = spawn("pulumi", [...args, ...targets], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, by) => resolve({ code, by }));
  });
  let kill: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill("SIGINT");
    kill = setTimeout(() => endGroup(child.pid), grace);
  };
  signal.addEventListener("abort", stop, { once: true });
  notify(`Running 'pulumi ${args.join(" ")}'…`);
  try {
    if (signal.aborted) {
      stop();
    }
    const [stdout, stderr, { code, by }] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (signal.aborted) {
      throw new Interrupted();
    }
    if (code === 0) {
      // Pulumi's remarks, for example on a newer version.
      if (stderr.trim() !== "") {
        notify(stderr.trimEnd());
      }
      return { stdout, failure: undefined };
    }
    const ending =
      by === null ? `'pulumi preview' ended with exit code ${code}` : `'pulumi preview' was ended by ${by}`;
    const refusal = stdout.trim() === "" ? fileRefusal(shortName(stack), folder, env)?.message : undefined;
    return { stdout, failure: refusal ?? (errorText(stderr) || ending) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") {
      throw cause;
    }
    throw new Problem("The preview can't be run.", {
      why: "There is no 'pulumi' on the PATH.",
      remedy: "Install it (https://www.pulumi.com/docs/install/), or put its folder on the PATH.",
      cause,
    });
  } finally {
    clearTimeout(kill);
    signal.removeEventListener("abort", stop);
  }
}

/** A failed preview may have printed nothing, and its reason on stderr only. */
export function digestOf({ stdout, failure }: Preview): Digest {
  try {
    return readDigest(stdout);
  } catch (error) {
    if (failure === undefined) {
      throw error;
    }
    return { steps: [], diagnostics: [] };
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // It has ended meanwhile.
  }
}
