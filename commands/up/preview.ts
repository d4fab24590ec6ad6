import { resolve } from "node:path";
import { inParallel } from "../../cluster/api/inParallel.ts";
import { refuse } from "../../components/inspect.ts";
import { stacksOf } from "../../config/sources/shardSource.ts";
import type { Known } from "../../plan/decide/differing.ts";
import { type ChosenRun, nextRun, nextRunText, targetOf, type UpRequest } from "../../plan/decide/nextRun.ts";
import type { UpCommand } from "../../plan/messages/catalogue.ts";
import { runFor } from "../../plan/run.ts";
import { makeRun } from "../../runs/decidedRun.ts";
import { Progress } from "../../runs/progress.ts";
import { failureText } from "../../runs/pulumiUp.ts";
import { Interrupted } from "../common/problem.ts";
import { assertProject } from "../common/stackFile.ts";
import { reportOf } from "../report/build.ts";
import { nothingFound, PreviewEvents } from "../report/found.ts";
import { type PrintOptions, printReport } from "../report/show.ts";
import { standingIn } from "../report/standing.ts";
import { type NamedStacks, stacksInFamily, stacksWith } from "./family.ts";
import { Clusters, lookAt, type OpenStack, openedOnce, reported } from "./looking.ts";
import { mergedDigest, type StackPreview, unpreviewed } from "./mergedPreview.ts";
import type { UpStackOptions } from "./options.ts";
import { displayOn, type Line } from "./print/display.ts";
import { sideBySide } from "./sideBySide.ts";

/**
 * Previews the runs of an up, for a stack or for each shard of a list, and prints one report: also of a preview that failed, as far
 * as it got, and of the reason why there is none, since a comment on a pull request must not keep outdated content.
 * @param by the command whose runs it shows: a plain `pulumi up` runs for everyone, and deletes what is in Pulumi's state alone
 * @throws Problem or RunError for unknown members; Interrupted when the signal has ended it
 */
export async function preview(
  options: PrintOptions & UpStackOptions,
  signal: AbortSignal,
  by: UpCommand = "kubecamp up",
): Promise<void> {
  const folder = resolve(options.folder);
  assertProject(folder);
  const { stack, member: members, all, refresh } = options;
  const stacks = stacksOf(folder, stack);
  const display = displayOn(process.stderr);
  const notify = (line: string) => display.notify(line);
  const clusters = new Clusters(notify, "preview");
  const open = openedOnce(folder, true);
  const one = (name: string) =>
    previewOne(name, open, { members, all, refresh }, { clusters, signal, by }, display.line(name));
  try {
    // If the list can't be read, each stack's preview reports that itself.
    const length = await open(stacks[0] ?? stack).then(
      ({ configuration }) => configuration.members.length,
      () => undefined,
    );
    const some = await previewed(members, { stack, stacks }, open, clusters);
    const previews = await inParallel(some, options.parallel ?? sideBySide(length, stacks.length), one);
    if (signal.aborted) {
      throw new Interrupted();
    }
    const failed = previews.filter(({ failure }) => failure !== undefined);
    const failures = failed.map(({ stack: name, failure }) =>
      previews.length === 1 ? failure : `${name}: ${failure}`,
    );
    const failure = failures.length === 0 ? undefined : failures.join("\n");
    display.close();
    // An up for some members takes nothing into the state.
    const deletesStranded = members.length === 0 && by === "kubecamp up";
    printReport(reportOf(mergedDigest(previews), { stack, failure, deletesStranded, by }), options);
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
  readonly by: UpCommand;
}

/** Never rejects: an error is this stack's failure, and the others go on. */
async function previewOne(
  name: string,
  open: (name: string) => Promise<OpenStack>,
  asked: UpRequest,
  { clusters, signal, by }: PreviewParts,
  line: Line,
): Promise<StackPreview> {
  line.enter("looks");
  const events = new PreviewEvents();
  const progress = new Progress((event) => events.take(event));
  let standing = nothingFound.standing;
  const found = () => ({ ...progress.told, steps: events.steps, messages: events.messages, standing });
  try {
    const opened = await open(name);
    const look = await lookAt(opened, clusters);
    const plan = chosen(look, asked);
    if (plan === undefined) {
      line.enter("ended", "nothing differs");
      return { stack: name, digest: unpreviewed(look, []), failure: undefined };
    }
    const run = runFor(look, targetOf(look, plan), look.state);
    refuse(run, by);
    standing = standingIn(run.targeted);
    line.enter("runs", nextRunText(plan));
    const decided = { kind: "preview", refresh: plan.refresh || asked.refresh, inspected: run } as const;
    const failure = failureText(await makeRun(opened.stack, decided, signal, progress), name);
    line.enter("ended", failure === undefined ? "previewed" : "FAILED");
    const rest = plan.kind === "all" ? nothingFound : unpreviewed(look, plan.members);
    return { stack: name, digest: mergedDigest([{ digest: rest }, { digest: found() }]), failure };
  } catch (error) {
    line.enter("ended", "FAILED");
    return { stack: name, digest: found(), failure: reported(error) };
  }
}

/** The run to preview; undefined if nothing differs. Where not all could be read, or an up is refused, it is one for everyone. */
function chosen(look: Known, asked: UpRequest): ChosenRun | undefined {
  const whole = (why: string): ChosenRun => ({ kind: "all", refresh: false, why });
  if (look.snapshot.unread !== undefined) {
    return whole("not everything could be read");
  }
  const plan = nextRun(look, asked);
  return plan.kind === "refused" ? whole(plan.why) : plan.kind === "nothing" ? undefined : plan;
}
