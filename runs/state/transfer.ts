import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { messageOf } from "../../cluster/api/message.ts";
import { inParallel } from "../../cluster/kinds/inParallel.ts";
import { firstOf } from "../../cluster/kinds/nameList.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import { type Move, writeStackLabels } from "../../cluster/write/stackLabel.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Configuration } from "../../config/model/settings/settings.ts";
import { formerHomes, movesOf } from "../../plan/membership/shards.ts";
import { transferObstacle } from "../../plan/membership/transferObstacle.ts";
import type { PulumiStack } from "../pulumiStack.ts";
import { selectedStack } from "../selectedStack.ts";
import {
  bucketMembersIn,
  knowsBuckets,
  namespacedMembers,
  sealedMembers,
  type Taken,
  unfinishedIn,
  withoutMembers,
  withTaken,
} from "./movedState.ts";
import { exported, exportedInPlainText, replaceState } from "./stackState.ts";

/** A member who stays in their stack, and the reason. */
type Left = Move & { readonly why: string };

/** Result of a transfer. */
export interface Transfer {
  /** Members now in their new stack. Both stacks need a run: first the new one, then the old one. */
  readonly moved: readonly Move[];
  readonly left: readonly Left[];
}

interface TransferParts {
  /** The project's folder, absolute. */
  readonly folder: string;
  readonly notify: (message: string) => void;
}

/**
 * Moves members to the stacks of a family where they belong now. It takes their resources out of the old stack's state,
 * writes the new stack's label on their namespace, and adds the resources to the new stack's state. Nothing on the
 * cluster is deleted or replaced; what the API server refuses goes back into the old state. It may be killed at any point:
 * the namespace's label decides which stack's next run has the member, and that run takes over objects that its state lacks.
 * @param configuration of any stack of the family
 * @param snapshot the cluster as it is now
 * @throws RunError when the API server can't be reached
 */
export async function transfer(
  { settings, members }: Configuration,
  snapshot: ClusterSnapshot,
  { folder, notify }: TransferParts,
): Promise<Transfer> {
  const states = new States(folder, notify);
  // One at a time, since each may start Pulumi.
  const oneByOne = 1;
  const moves = movesOf(members, settings, snapshot);
  const judged = await inParallel(moves, oneByOne, async (move) => ({
    ...move,
    why: transferObstacle(move, settings, snapshot) ?? (await states.obstacle(move)),
  }));
  const ready = judged.filter(({ why }) => why === undefined);
  const former = await inParallel(formerHomes(members, settings, snapshot), oneByOne, async (move) =>
    (await states.has(move)) ? [move] : [],
  );
  const taken: Taken[] = [];
  const failed = new Map<string, string>();
  for (const [from, leaving] of Map.groupBy([...ready, ...former.flat()], (move) => move.from)) {
    try {
      const going = ready.filter((move) => move.from === from);
      taken.push(await states.take(from, namesOf(leaving), namesOf(going)));
    } catch (error) {
      for (const { member } of leaving) {
        failed.set(member, messageOf(error));
      }
    }
  }
  const out = ready.filter(({ member }) => !failed.has(member));
  const put = async (stack: string, theirs: readonly Move[]): Promise<void> => {
    try {
      await states.put(stack, theirs, taken);
    } catch (error) {
      notify(
        `Stack '${stack}' takes over what its members have in its next run, since its state can't be written now. ` +
          `Keys to buckets get another secret by that, and pods that use the former have to be restarted: ${messageOf(error)}`,
      );
    }
  };
  const putBack = async (staying: readonly Move[]): Promise<void> => {
    for (const [from, theirs] of Map.groupBy(staying, (move) => move.from)) await put(from, theirs);
  };
  const refused = await writeStackLabels(out, settings, snapshot, { notify }).catch(async (error: unknown) => {
    await putBack(out);
    throw error;
  });
  await putBack(out.filter(({ member }) => refused.has(member)));
  const moved = out.filter(({ member }) => !refused.has(member));
  for (const [to, coming] of Map.groupBy(moved, (move) => move.to)) await put(to, coming);
  return {
    moved: moved.map(({ member, from, to }) => ({ member, from, to })),
    left: judged.flatMap(({ why: before, ...move }): Left[] => {
      const why = before ?? failed.get(move.member) ?? refused.get(move.member);
      return why === undefined ? [] : [{ ...move, why }];
    }),
  };
}

/** States of stacks, each opened once. */
class States {
  readonly #folder: string;
  readonly #notify: TransferParts["notify"];
  readonly #opened = new Map<
    string,
    Promise<{ readonly stack: PulumiStack; readonly state: Deployment } | { readonly why: string }>
  >();

  constructor(folder: string, notify: TransferParts["notify"]) {
    this.#folder = folder;
    this.#notify = notify;
  }

  /** Reason why a member's resources can't leave the one state or enter the other. */
  async obstacle({ member, from, to }: Move): Promise<string | undefined> {
    const [before, after] = [await this.#open(from), await this.#open(to)];
    for (const one of [before, after]) {
      if ("why" in one) {
        return one.why;
      }
      if (unfinishedIn(one.state).has(member)) {
        return `a run of stack '${one.stack.name}' that was killed has begun something of theirs; it has to be brought up first`;
      }
    }
    const hasBuckets = "state" in before && bucketMembersIn(before.state).has(member);
    // Without the provider the buckets would stay behind, and their keys would get another secret.
    return hasBuckets && "state" in after && !knowsBuckets(after.state)
      ? `stack '${to}' has not met the S3 server of their buckets yet; it has to be brought up first`
      : undefined;
  }

  /** Whether a former stack's state still has a member; a deleted stack has none. */
  async has({ member, from }: Move): Promise<boolean> {
    const opened = await this.#open(from);
    return "state" in opened && namespacedMembers(opened.state).has(member);
  }

  /**
   * Takes members' resources out of a stack's state.
   * @param going members who take them along; others' are in their own stack already
   */
  async take(from: string, names: ReadonlySet<string>, going: ReadonlySet<string>): Promise<Taken> {
    const stack = await this.#stack(from);
    // Reads the current state: others may have run since the stack was opened.
    const now = await exported(stack);
    const { state } = withoutMembers(now, from, names);
    const { taken } = withoutMembers(now, from, going);
    const unsealed = sealedMembers(taken).length === 0 ? taken : await this.#unsealed(stack, going, taken);
    if ([...names].some((name) => namespacedMembers(now).has(name))) {
      await replaceState(stack, state);
    }
    return unsealed;
  }

  /** Resources with secrets in plain text, so that the new stack can encrypt them with its own key. */
  async #unsealed(stack: PulumiStack, names: ReadonlySet<string>, taken: Taken): Promise<Taken> {
    try {
      return withoutMembers(await exportedInPlainText(stack), taken.stack, names).taken;
    } catch (error) {
      const whose = firstOf(sealedMembers(taken), 3);
      this.#notify(
        `The keys to buckets of ${whose} can't be taken along, since what is secret in the state of stack '${stack.name}' can't be read. ` +
          `The next run makes another secret for them, and pods that use the former have to be restarted: ${messageOf(error)}`,
      );
      return taken;
    }
  }

  /** Adds taken resources to a stack's state. */
  async put(to: string, coming: readonly Move[], taken: readonly Taken[]): Promise<void> {
    const stack = await this.#stack(to);
    const before = await exported(stack);
    const after = withTaken(before, to, new Map(coming.map(({ member, from }) => [member, from])), taken);
    if (after !== undefined) {
      await replaceState(stack, after);
    }
  }

  async #stack(name: string): Promise<PulumiStack> {
    const opened = await this.#open(name);
    if ("why" in opened) {
      throw new RunError(opened.why);
    }
    return opened.stack;
  }

  #open(name: string) {
    const opened = this.#opened.get(name) ?? this.#opening(name).catch((error: unknown) => ({ why: messageOf(error) }));
    this.#opened.set(name, opened);
    return opened;
  }

  async #opening(name: string) {
    const { stack } = await selectedStack({ folder: this.#folder, stack: name });
    return { stack, state: await exported(stack) };
  }
}

const namesOf = (moves: readonly Move[]) => new Set(moves.map(({ member }) => member));
