import { resolve } from "node:path";
import { inParallel } from "../../cluster/kinds/inParallel.ts";
import { stacksOf } from "../../config/rules/shards.ts";
import { upVariable } from "../../config/sources/engine/upCommand.ts";
import { withoutLog } from "../../runs/pulumiHome.ts";
import { withTarget } from "../../runs/targetedRun.ts";
import { assertProject } from "../common/stackFile.ts";
import { reportOf } from "../report/build.ts";
import type { Digest } from "../report/digest.ts";
import { digestOf, runPreview } from "../report/preview.ts";
import { type PrintOptions, printReport } from "../report/show.ts";
import { type NamedStacks, stacksInFamily, stacksWith } from "./family.ts";
import { Clusters, lookAt, type OpenStack, openedOnce, reported } from "./looking.ts";
import { mergedDigest, type StackPreview, unpreviewed } from "./mergedPreview.ts";
import type { UpStackOptions } from "./options.ts";
import type { Look } from "./plan/knownState.ts";
import { type NextRun, nextRun, nextRunText, type UpRequest } from "./plan/nextRun.ts";
import { displayOn, type Line } from "./print/display.ts";
import { sideBySide } from "./sideBySide.ts";

/** Options of the command line. */
interface PreviewOptions extends PrintOptions, UpStackOptions {}

/**
 * Previews the runs of an up, for a stack or for each shard of a list, and prints one report. If it can't find out what
 * differs, for example without access to the cluster, it previews everything, which shows the reason.
 * @throws Problem or RunError for unknown members; Interrupted when the signal has ended it
 */
export async function preview(options: PreviewOptions, signal: AbortSignal): Promise<void> {
  const folder = resolve(options.folder);
  assertProject(folder);
  const { stack, member: members, all, refresh } = options;
  const stacks = stacksOf(folder, stack);
  const display = displayOn(process.stderr);
  const notify = (line: string) => display.notify(line);
  const clusters = new Clusters(notify, "preview");
  const open = openedOnce(folder);
  const one = (name: string) =>
    previewOne(name, open, { members, all, refresh }, { clusters, signal, folder }, display.line(name));
  try {
    // If the list can't be read, each stack's preview reports that itself.
    const length = await open(stacks[0] ?? stack).then(
      ({ configuration }) => configuration.members.length,
      () => undefined,
    );
    const some = await previewed(members, { stack, stacks }, open, clusters);
    const previews = await inParallel(some, options.parallel ?? sideBySide(length, stacks.length), one);
    const failures = previews.flatMap(({ stack: name, failure }) =>
      failure === undefined ? [] : [`${name}: ${failure}`],
    );
    const failure = failures.length === 0 ? undefined : failures.join("\n");
    display.close();
    // An up for some members takes nothing into the state.
    const deletesStranded = members.length === 0;
    printReport(reportOf(mergedDigest(previews), { stack, failure, deletesStranded }), options);
  } finally {
    display.close();
  }
}

/** The same stacks as in an up, also those that a split list no longer needs. */
async function previewed(
  members: readonly string[],
  named: NamedStacks,
  open: (name: string) => Promise<OpenStack>,
  clusters: Clusters,
): Promise<readonly string[]> {
  try {
    const { configuration } = await open(named.stacks[0] ?? named.stack);
    const snapshot = await clusters.of(configuration);
    return members.length > 0
      ? stacksWith(members, named, configuration, snapshot)
      : stacksInFamily(named, configuration, snapshot);
  } catch (error) {
    if (members.length > 0) {
      throw error;
    }
    // Each stack's preview reports the obstacle itself.
    return named.stacks;
  }
}

interface PreviewParts {
  readonly clusters: Clusters;
  readonly signal: AbortSignal;
  readonly folder: string;
}

async function previewOne(
  name: string,
  open: (name: string) => Promise<OpenStack>,
  asked: UpRequest,
  { clusters, signal, folder }: PreviewParts,
  line: Line,
): Promise<StackPreview> {
  line.enter("looks");
  const { plan, look } = await lookedAt(() => open(name), asked, clusters);
  if (plan.kind === "nothing") {
    line.enter("ended", nextRunText(plan));
    return { stack: name, digest: unpreviewed(look, []), failure: undefined };
  }
  line.enter("runs", nextRunText(plan));
  const parts = { notify: () => undefined, signal, folder, env: { [upVariable]: "1", ...withoutLog(folder, name) } };
  const refresh = plan.refresh || asked.refresh;
  const printed =
    plan.kind === "all"
      ? await runPreview(name, refresh, parts)
      : await withTarget(
          {
            stack: look?.settings.stack ?? name,
            members: plan.members,
            removedMembers: plan.removedMembers,
            waits: true,
          },
          (target) => runPreview(name, refresh, { ...parts, target }),
        );
  line.enter("ended", printed.failure === undefined ? "previewed" : "FAILED");
  const { steps, diagnostics }: Digest = digestOf(printed);
  if (plan.kind === "all") {
    return { stack: name, digest: { steps, diagnostics }, failure: printed.failure };
  }
  const rest = unpreviewed(look, plan.members);
  const digest = { steps: [...rest.steps, ...steps], diagnostics: [...diagnostics, ...rest.diagnostics] };
  return { stack: name, digest, failure: printed.failure };
}

interface Looked {
  readonly plan: NextRun;
  readonly look: Look | undefined;
}

/** The run to preview. If that can't be found out, a full preview shows the reason. */
async function lookedAt(open: () => Promise<OpenStack>, asked: UpRequest, clusters: Clusters): Promise<Looked> {
  try {
    const look = await lookAt(await open(), clusters);
    if (look.snapshot.unread !== undefined) {
      return { plan: { kind: "all", refresh: false, why: "not everything could be read" }, look };
    }
    const plan = nextRun(look, asked);
    return { plan: plan.kind === "refused" ? { kind: "all", refresh: false, why: plan.why } : plan, look };
  } catch (error) {
    const why = `the differences are unknown (${reported(error).split("\n", 1)[0]})`;
    return { plan: { kind: "all", refresh: false, why }, look: undefined };
  }
}
