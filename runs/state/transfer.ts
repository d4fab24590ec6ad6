import { messageOf } from "../../cluster/api/message.ts";
import { inParallel } from "../../cluster/kinds/inParallel.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import { type Move, writeStackLabels } from "../../cluster/write/stackLabel.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Configuration } from "../../config/model/settings/settings.ts";
import { environmentType, memberOf } from "../../naming/urns.ts";
import { formerHomes, movesOf } from "../../plan/membership/shards.ts";
import { transferObstacle } from "../../plan/membership/transferObstacle.ts";
import { pulumi, pulumiIn } from "../pulumiCommand.ts";
import type { PulumiStack } from "../pulumiStack.ts";
import { inWords } from "../pulumiWords.ts";
import { selectedStack } from "../selectedStack.ts";
import { contentOf, type State } from "./deployment.ts";
import { exported } from "./stackState.ts";

/** A member who stays in their stack, and the reason. */
type Left = Move & { readonly why: string };

/** Result of a transfer. */
export interface Transfer {
  /** Members now in their new stack. Both stacks need a run. */
  readonly moved: readonly Move[];
  readonly left: readonly Left[];
}

interface TransferParts {
  /** The project's folder, absolute. */
  readonly folder: string;
  readonly notify: (message: string) => void;
}

/**
 * Moves members to the stacks of a family where they belong now: their resources with `pulumi state move`, then the new
 * stack's label on their namespace. Nothing on the cluster is deleted or replaced; what the API server refuses moves back. It
 * may be killed at any point: a stack whose state has members of another, by the label, refuses to run, and the next
 * transfer settles whose they are.
 * @param configuration of any stack of the family
 * @param snapshot the cluster as it is now
 * @throws RunError when the API server can't be reached
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_state_move/
 */
export async function transfer(
  { settings, members }: Configuration,
  snapshot: ClusterSnapshot,
  { folder, notify }: TransferParts,
): Promise<Transfer> {
  const states = new States(folder);
  // One at a time, since each may start Pulumi.
  const oneByOne = 1;
  const judged = await inParallel(movesOf(members, settings, snapshot), oneByOne, async (move) => ({
    ...move,
    why: transferObstacle(move, settings, snapshot) ?? (await states.obstacle(move)),
  }));
  const ready = judged.filter(({ why }) => why === undefined);
  const former = await inParallel(formerHomes(members, settings, snapshot), oneByOne, async (move) =>
    (await states.has(move)) ? [move] : [],
  );
  const begun = former.flat();
  const failed = await states.move([...ready, ...begun]);
  const out = ready.filter(({ member }) => !failed.has(member));
  const moveBack = async (some: readonly Move[]) => {
    const stuck = await states.move(some.map(({ member, from, to }) => ({ member, from: to, to: from })));
    return new Map([...stuck].map(([member, why]) => [member, `'${member}' stays in the new stack's state: ${why}`]));
  };
  const refused = await writeStackLabels(out, settings, snapshot, { notify }).catch(async (error: unknown) => {
    const stuck = await moveBack(out);
    throw stuck.size === 0 ? error : new RunError([messageOf(error), ...stuck.values()].join("\n"));
  });
  const stuck = await moveBack(out.filter(({ member }) => refused.has(member)));
  return {
    moved: out.filter(({ member }) => !refused.has(member)).map(({ member, from, to }) => ({ member, from, to })),
    left: [...judged, ...begun.map((move) => ({ ...move, why: undefined }))].flatMap(({ why: before, ...move }) => {
      const { member } = move;
      const whys = [before ?? failed.get(member) ?? refused.get(member), stuck.get(member)].filter(
        (each) => each !== undefined,
      );
      return whys.length === 0 ? [] : [{ ...move, why: whys.join("\n") }];
    }),
  };
}

interface Opened {
  readonly stack: PulumiStack;
  readonly state: State;
}

/** States of stacks, each opened once. */
class States {
  readonly #folder: string;
  readonly #opened = new Map<string, Promise<Opened | { readonly why: string }>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reason why a member's resources can't leave the one state or enter the other. */
  async obstacle({ member, from, to }: Move): Promise<string | undefined> {
    for (const name of [from, to]) {
      const opened = await this.#open(name);
      if ("why" in opened) {
        return opened.why;
      }
      if (isUnfinished(opened.state, member)) {
        return `a run of stack '${name}' that was killed has begun something of theirs; it has to be brought up first`;
      }
    }
    return undefined;
  }

  /** Whether the state that a member leaves still has them; a deleted stack has nobody. */
  async has({ member, from }: Move): Promise<boolean> {
    const opened = await this.#open(from);
    return "state" in opened && componentIn(opened.state, member) !== undefined;
  }

  /** @returns reasons, by name, why members could not be moved */
  async move(moves: readonly Move[]): Promise<ReadonlyMap<string, string>> {
    const failed = new Map<string, string>();
    for (const some of Map.groupBy(moves, ({ from, to }) => `${from} ${to}`).values()) {
      try {
        for (const [member, why] of await this.#moveTogether(some)) failed.set(member, why);
      } catch (error) {
        for (const { member } of some) failed.set(member, messageOf(error));
      }
    }
    return failed;
  }

  /**
   * Moves members from one state to another; takes those out of the first whom the second has already.
   * @returns reasons, by name, why the others stay in both states: the second has only a part
   */
  async #moveTogether(moves: readonly Move[]): Promise<ReadonlyMap<string, string>> {
    const [{ from, to } = { from: "", to: "" }] = moves;
    const stack = await this.#stack(from);
    // Reads the current states: others may have run since the stacks were opened.
    const [source, destination] = [await exported(stack), await exported(await this.#stack(to))];
    const partly = new Map<string, string>();
    const found = moves.flatMap(({ member }) => {
      const urn = componentIn(source, member);
      const there = partsIn(destination, member);
      const missing = [...partsIn(source, member)].filter((part) => !there.has(part));
      if (urn !== undefined && there.size > 0 && missing.length > 0) {
        partly.set(member, onlyPartText({ from, to }, missing));
        return [];
      }
      return urn === undefined ? [] : [{ urn, isTwice: there.size > 0 }];
    });
    await inWords(`Members can't be moved from the state of stack '${from}' to that of '${to}'`, async () => {
      for (const { urn } of found.filter(({ isTwice }) => isTwice)) {
        await pulumi(stack, ["state", "delete", urn, "--target-dependents", "--force", "--yes"]);
      }
      const urns = found.filter(({ isTwice }) => !isTwice).map(({ urn }) => urn);
      if (urns.length > 0) {
        const stacks = ["--source", from, "--dest", to];
        await pulumiIn(stack.workspace, ["state", "move", ...urns, ...stacks, "--yes"]);
      }
    });
    return partly;
  }

  async #stack(name: string): Promise<PulumiStack> {
    const opened = await this.#open(name);
    if ("why" in opened) {
      throw new RunError(opened.why);
    }
    return opened.stack;
  }

  #open(name: string): Promise<Opened | { readonly why: string }> {
    const opened = this.#opened.get(name) ?? this.#opening(name).catch((error) => ({ why: messageOf(error) }));
    this.#opened.set(name, opened);
    return opened;
  }

  async #opening(name: string): Promise<Opened> {
    const { stack } = await selectedStack({ folder: this.#folder, stack: name });
    return { stack, state: await exported(stack) };
  }
}

/** URN of a member's component, with which all of their resources move. */
const componentIn = (state: State, member: string): string | undefined =>
  contentOf(state).resources?.find(({ type, urn }) => type === environmentType && memberOf(urn) === member)?.urn;

/** A member's resources in a state, by their URNs without the stack. */
const partsIn = (state: State, member: string): ReadonlySet<string> =>
  new Set(
    (contentOf(state).resources ?? []).flatMap(({ urn }) =>
      memberOf(urn) === member ? [urn.split("::").slice(1).join("::")] : [],
    ),
  );

const onlyPartText = ({ from, to }: Pick<Move, "from" | "to">, [missing = ""]: readonly string[]): string =>
  `the state of stack '${to}' has only a part of theirs, without '${missing.split("::").at(-1)}' of stack '${from}': ` +
  "delete that part with 'pulumi state delete --target-dependents', then run again";

/**
 * Whether a killed run has left a member's change unfinished, or something to delete. A pending creation is no obstacle, since
 * the object is taken over by its name.
 */
function isUnfinished(state: State, member: string): boolean {
  const { resources = [], pending_operations: pending = [] } = contentOf(state);
  const isTheirs = (urn: string) => memberOf(urn) === member;
  return (
    resources.some((resource) => resource.delete === true && isTheirs(resource.urn)) ||
    pending.some(({ type, resource }) => type !== "creating" && isTheirs(resource.urn))
  );
}
