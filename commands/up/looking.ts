import { readKeptHomes } from "../../cluster/read/keptHomes.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { type RunKind, readSnapshot } from "../../components/inspect.ts";
import { stackDigest } from "../../components/provider/providerArgs.ts";
import type { Configuration } from "../../config/settings.ts";
import { configurationOf } from "../../config/sources/load.ts";
import { RunError } from "../../config/values/runError.ts";
import type { PlanAndState } from "../../plan/decide/differing.ts";
import { planFrom } from "../../plan/decide/run.ts";
import { knownState } from "../../plan/live/knownState.ts";
import { hasOwnProgram } from "../../runs/mainModule.ts";
import { isUnknownStack } from "../../runs/pulumiWords.ts";
import { type StackOptions, selectedStack, shortName } from "../../runs/selectedStack.ts";
import { lastState } from "../../runs/state/stackState.ts";
import { nearestStack } from "../common/stackFile.ts";

export type OpenStack = Awaited<ReturnType<typeof openedStack>>;

async function openedStack(options: StackOptions) {
  const { folder, stack: name } = options;
  const { stack, config } = await selectedStack(options).catch((error) => {
    throw isUnknownStack(error)
      ? new RunError(error.what, {
          why: `${error.parts?.why ?? ""}${nearestStack(shortName(name), folder)}`,
          remedy: wayOut(name),
        })
      : error;
  });
  return { stack, configuration: await configurationOf(config, shortName(name), folder, readKeptHomes) };
}

/** Opens a project's stack by its name; a second call gives the same. */
export type Open = (stack: string) => Promise<OpenStack>;

export function openedOnce(options: Pick<StackOptions, "folder" | "isPreview">): Open {
  const opened = new Map<string, Promise<OpenStack>>();
  return (stack) => {
    const one = opened.get(stack) ?? openedStack({ ...options, stack });
    opened.set(stack, one);
    return one;
  };
}

const wayOut = (stack: string) =>
  `If it is new, make it: pulumi stack init ${stack} (a shard takes the others' secrets provider, by --secrets-provider)\n` +
  "If it has had a run, don't: 'pulumi whoami -v' names the backend that Pulumi looks in. If the state is lost, see docs/run/state.md.";

/** Reads the cluster once for all stacks that need the same of it, such as the shards of a list. */
export class Clusters {
  readonly #notify: (line: string) => void;
  readonly #run: RunKind;
  readonly #known = new Map<string, Promise<ClusterSnapshot>>();

  /** @param run a preview or the watch goes on without some lists that the identity may not read */
  constructor(notify: (line: string) => void, run: RunKind = "up") {
    this.#notify = notify;
    this.#run = run;
  }

  anew(): Clusters {
    return new Clusters(this.#notify, this.#run);
  }

  /** @throws RunError when any kind can't be read: only a successful answer may report an object as absent */
  async of({ settings, members }: Configuration): Promise<ClusterSnapshot> {
    const { cluster, route, confinement } = settings;
    // Leaving members need no part in the key: the snapshot has their labels anyway, and only the run itself reads
    // their objects.
    const key = JSON.stringify([cluster, route, confinement, members.map(({ name, standing }) => [name, standing])]);
    const known =
      this.#known.get(key) ?? readSnapshot({ settings, members }, this.#run, { notify: this.#notify }, new Date());
    this.#known.set(key, known);
    return await known;
  }
}

export async function lookAt({ stack, configuration }: OpenStack, clusters: Clusters): Promise<PlanAndState> {
  const { settings } = configuration;
  const [snapshot, exported] = await Promise.all([clusters.of(configuration), lastState(stack)]);
  const state = knownState(exported);
  const now = new Date(snapshot.now ?? Date.now());
  const plan = planFrom(configuration, snapshot, state, now);
  const hasProgram = hasOwnProgram(stack.workspace.workDir);
  return { ...plan, state, digest: stackDigest(settings, snapshot.id), hasProgram };
}

export function failureReason(error: unknown): string {
  if (RunError.isInstance(error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
