import { resolve } from "node:path";
import { inParallel } from "../../cluster/inParallel.ts";
import { refuse } from "../../components/inspect.ts";
import { stacksOf } from "../../config/sources/shardSource.ts";
import type { PlanAndState } from "../../plan/decide/differing.ts";
import { type AskedUp, type ChosenRun, nextRun, nextRunText, targetOfRun } from "../../plan/decide/nextRun.ts";
import { runFor } from "../../plan/decide/run.ts";
import { exceededBudgets } from "../../plan/findings/budgets.ts";
import { pendingRoutes, statusesOf } from "../../plan/findings/status.ts";
import { memberWarnings, runNotices } from "../../plan/findings/warnings.ts";
import { planFor } from "../../plan/members/plan.ts";
import type { UpCommand } from "../../plan/words/catalogue.ts";
import { makeRun } from "../../runs/decidedRun.ts";
import { Progress } from "../../runs/progress.ts";
import { failureText } from "../../runs/pulumiUp.ts";
import { Interrupted } from "../common/problem.ts";
import { assertProject } from "../common/stackFile.ts";
import { reportOf } from "../report/build.ts";
import { type Digest, mergedDigest, nothingFound, PreviewEvents, standingIn } from "../report/digest.ts";
import { type PrintOptions, printReport } from "../report/show.ts";
import { displayOn, type Line } from "../up/display.ts";
import { stacksInFamily, stacksWith } from "../up/family.ts";
import { Clusters, failureReason, lookAt, type Open, openedOnce } from "../up/looking.ts";
import { sideBySide } from "../up/sideBySide.ts";
import type { UpStackOptions } from "../up/up.ts";

interface PreviewParts {
  readonly open: Open;
  readonly asked: AskedUp;
  readonly clusters: Clusters;
  readonly signal: AbortSignal;
  readonly by: UpCommand;
}

/** Previews an up's runs, and prints one report, also of one that failed: a comment on it must not stay outdated. */
export async function preview(
  options: PrintOptions & UpStackOptions,
  signal: AbortSignal,
  by: UpCommand = "kubecamp up",
): Promise<void> {
  const folder = resolve(options.folder);
  assertProject(folder);
  const { stack, member: members, all, refresh } = options;
  const display = displayOn(process.stderr);
  const clusters = new Clusters((line) => display.notify(line), "preview");
  const parts = {
    open: openedOnce({ folder, isPreview: true }),
    asked: { members, all, refresh },
    clusters,
    signal,
    by,
  };
  try {
    const { stacks, parallel } = await previewed(options, stacksOf(folder, stack), parts);
    const previews = await inParallel(stacks, parallel, (name) => previewOne(display.line(name), parts));
    if (signal.aborted) {
      throw new Interrupted();
    }
    display.close();
    // An up for some members takes nothing into the state.
    const deletesStranded = members.length === 0 && by === "kubecamp up";
    const digest = mergedDigest(previews.map((each) => each.digest));
    const failures = previews.flatMap(({ stack, failure }) =>
      failure === undefined ? [] : [previews.length === 1 ? failure : `${stack}: ${failure}`],
    );
    const failure = failures.length === 0 ? undefined : failures.join("\n");
    printReport(reportOf(digest, { stack, failure, deletesStranded, by }), options);
  } finally {
    display.close();
  }
}

async function previewed(
  { stack, member: members, parallel }: UpStackOptions,
  stacks: readonly string[],
  { open, clusters }: Pick<PreviewParts, "open" | "clusters">,
): Promise<{ stacks: readonly string[]; parallel: number }> {
  let length: number | undefined;
  const some = async () => {
    const { configuration } = await open(stacks[0] ?? stack);
    length = configuration.members.length;
    const snapshot = await clusters.of(configuration);
    return members.length > 0
      ? stacksWith(members, { stack, stacks }, configuration, snapshot)
      : stacksInFamily({ stack, stacks }, configuration, snapshot);
  };
  const found = await some().catch((error: unknown) => {
    if (members.length > 0) {
      throw error;
    }
    // Each stack's preview reports the obstacle itself.
    return stacks;
  });
  return { stacks: found, parallel: parallel ?? sideBySide(length, stacks.length) };
}

/** Never rejects: an error is this stack's failure, and the others go on. */
async function previewOne(line: Line, { open, asked, clusters, signal, by }: PreviewParts) {
  const { stack } = line;
  line.enter("looks");
  const events = new PreviewEvents();
  const progress = new Progress((event) => events.take(event));
  let standing = nothingFound.standing;
  const found = () => ({ ...progress.told, steps: events.steps, messages: events.messages, standing });
  try {
    const opened = await open(stack);
    const look = await lookAt(opened, clusters);
    const plan = chosen(look, asked);
    if (plan === undefined) {
      line.enter("ended", "nothing differs");
      return { stack, digest: unpreviewed(look, []), failure: undefined };
    }
    const run = runFor(look, targetOfRun(look, plan), look.state);
    refuse(run, by);
    standing = standingIn(run.targeted);
    line.enter("runs", nextRunText(plan));
    const decided = { kind: "preview", refresh: plan.refresh || asked.refresh, inspected: run } as const;
    const failure = failureText(await makeRun(opened.stack, decided, signal, progress), stack);
    line.enter("ended", failure === undefined ? "previewed" : "FAILED");
    const rest = plan.kind === "all" ? nothingFound : unpreviewed(look, plan.members);
    return { stack, digest: mergedDigest([rest, found()]), failure };
  } catch (error) {
    line.enter("ended", "FAILED");
    return { stack, digest: found(), failure: failureReason(error) };
  }
}

/** The run to preview; undefined if nothing differs. Where not all could be read, or an up is refused, it is one for everyone. */
function chosen(look: PlanAndState, asked: AskedUp): ChosenRun | undefined {
  const whole = (why: string): ChosenRun => ({ kind: "all", refresh: false, why });
  if (look.snapshot.unread !== undefined) {
    return whole("not everything could be read");
  }
  const plan = nextRun(look, asked);
  switch (plan.kind) {
    case "refused":
      return whole(plan.why);
    case "nothing":
      return undefined;
    default:
      return plan;
  }
}

/** Warnings of a full preview for members who are left out because nothing of theirs changes. */
export function unpreviewed(look: PlanAndState, previewed: readonly string[]): Digest {
  const statuses = statusesOf(look);
  const rest = planFor(look, ({ name }) => !previewed.includes(name));
  const members = rest.members.map(({ member }) => member);
  return {
    ...nothingFound,
    // It says that there is a preview.
    steps: [{ op: "same", urn: "" }],
    warnings: [
      ...memberWarnings(rest, statuses, look.state.objects),
      ...pendingRoutes(members, statuses, new Set()),
      ...exceededBudgets(look.list, look.settings, look.snapshot),
    ],
    notices: runNotices(rest, look.list, members),
  };
}
