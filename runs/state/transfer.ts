import { messageOf } from "../../cluster/api/errors.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { type Transfer, writeStackLabels } from "../../cluster/write/stackLabel.ts";
import { environmentType, logicalNameIn, memberOf } from "../../config/names/urns.ts";
import type { Configuration } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import type { Exported } from "../../plan/live/knownState.ts";
import { pastTransfers, transferObstacle, transfersOf } from "../../plan/members/transfers.ts";
import { pulumi, pulumiIn } from "../pulumiCommand.ts";
import type { PulumiStack } from "../pulumiStack.ts";
import { inWords } from "../pulumiWords.ts";
import { selectedStack } from "../selectedStack.ts";
import { exported } from "./stackState.ts";

export interface Transferred {
  readonly moved: readonly Transfer[];
  readonly left: readonly (Transfer & { readonly why: string })[];
}

/**
 * Moves members to the stacks where they belong now: their resources with `pulumi state move`, then the label on their
 * namespace. Nothing on the cluster is deleted or replaced; what the API server refuses moves back. It may be killed at
 * any point: a stack whose state has members of another, by the label, refuses to run, and the next transfer settles
 * whose they are. @throws RunError when the API server can't be reached
 */
export async function transfer(
  { settings, members }: Configuration,
  snapshot: ClusterSnapshot,
  { folder, notify }: { readonly folder: string; readonly notify: (message: string) => void },
): Promise<Transferred> {
  const open = openedOnce(folder);
  const transfers = transfersOf(members, settings, snapshot);
  const obstacles = new Map(transfers.map((one) => [one.member, transferObstacle(one, settings, snapshot)]));
  const ready = transfers.filter(({ member }) => obstacles.get(member) === undefined);
  const begun = await stillIn(pastTransfers(members, settings, snapshot), open);
  const failed = new Map([...(await moveStates(ready, open, { isNew: true })), ...(await moveStates(begun, open))]);
  const out = ready.filter(({ member }) => !failed.has(member));
  const moveBack = async (some: readonly Transfer[]) => {
    const back = some.map(({ member, from, to }) => ({ member, from: to, to: from }));
    const stuck = await moveStates(back, open);
    return new Map([...stuck].map(([member, why]) => [member, `'${member}' stays in the new stack's state: ${why}`]));
  };
  const refused = await writeStackLabels(out, settings, snapshot, { notify }).catch(async (error: unknown) => {
    const stuck = await moveBack(out);
    throw stuck.size === 0 ? error : new RunError([messageOf(error), ...stuck.values()].join("\n"));
  });
  const stuck = await moveBack(out.filter(({ member }) => refused.has(member)));
  return {
    moved: out.filter(({ member }) => !refused.has(member)),
    left: [...transfers, ...begun].flatMap((one) => {
      const whys = [obstacles, failed, refused, stuck].flatMap((each) => each.get(one.member) ?? []);
      return whys.length === 0 ? [] : [{ ...one, why: whys.join("\n") }];
    }),
  };
}

type Open = (stack: string) => Promise<PulumiStack>;

function openedOnce(folder: string): Open {
  const opened = new Map<string, Promise<PulumiStack>>();
  return (name) => {
    const one = opened.get(name) ?? selectedStack({ folder, stack: name }).then(({ stack }) => stack);
    opened.set(name, one);
    return one;
  };
}

/** Those whom the state that they leave still has; a deleted stack has nobody. */
async function stillIn(transfers: readonly Transfer[], open: Open): Promise<readonly Transfer[]> {
  const still: Transfer[] = [];
  for (const [from, some] of Map.groupBy(transfers, (one) => one.from)) {
    const opened = open(from).then(exported);
    const state = await opened.catch(() => ({}));
    still.push(...some.filter(({ member }) => ofMember(state, member).urn !== undefined));
  }
  return still;
}

interface Start {
  /** Whether this transfer begins with it, so that what a killed run has left unfinished is an obstacle. */
  readonly isNew: boolean;
}

async function moveStates(
  transfers: readonly Transfer[],
  open: Open,
  start: Start = { isNew: false },
): Promise<ReadonlyMap<string, string>> {
  const failed: (readonly [member: string, why: string])[] = [];
  for (const some of Map.groupBy(transfers, ({ from, to }) => `${from} ${to}`).values()) {
    const moving = moveTogether(some, open, start);
    failed.push(...(await moving.catch((error) => some.map(({ member }) => [member, messageOf(error)] as const))));
  }
  return new Map(failed);
}

/** Takes those out of the first whom the second has already. Returns the reasons, by name, why the others stay. */
async function moveTogether(
  transfers: readonly Transfer[],
  open: Open,
  { isNew }: Start,
): Promise<ReadonlyMap<string, string>> {
  const [{ from, to } = { from: "", to: "" }] = transfers;
  const stack = await open(from);
  const [source, destination] = [await exported(stack), await exported(await open(to))];
  const failed = new Map<string, string>();
  const [twice, once]: [string[], string[]] = [[], []];
  for (const { member } of transfers) {
    const [before, after] = [ofMember(source, member), ofMember(destination, member)];
    const { urn } = before;
    const missing = [...before.parts].find((part) => !after.parts.has(part));
    const [unfinished] = [...(before.isUnfinished ? [from] : []), ...(after.isUnfinished ? [to] : [])];
    if (isNew && unfinished !== undefined) {
      const why = `a run of stack '${unfinished}' that was killed has begun something of theirs`;
      failed.set(member, `${why}; it has to be brought up first`);
    } else if (urn !== undefined && after.parts.size > 0 && missing !== undefined) {
      const why = `the state of stack '${to}' has only a part of theirs, without '${logicalNameIn(missing)}' of stack '${from}'`;
      failed.set(member, `${why}: delete that part with 'pulumi state delete --target-dependents', then run again`);
    } else if (urn !== undefined) {
      (after.parts.size > 0 ? twice : once).push(urn);
    }
  }
  await inWords(`Members can't be moved from the state of stack '${from}' to that of '${to}'`, async () => {
    for (const urn of twice) {
      await pulumi(stack, ["state", "delete", urn, "--target-dependents", "--force", "--yes"]);
    }
    if (once.length > 0) {
      await pulumiIn(stack.workspace, ["state", "move", ...once, "--source", from, "--dest", to, "--yes"]);
    }
  });
  return failed;
}

function ofMember({ deployment }: Exported, member: string) {
  const isTheirs = ({ urn }: { readonly urn: string }) => memberOf(urn) === member;
  const resources = (deployment?.resources ?? []).filter(isTheirs);
  return {
    /** URN of their component, with which all of their resources move. */
    urn: resources.find(({ urn }) => urn.split("::")[2] === environmentType)?.urn,
    parts: new Set(resources.map(({ urn }) => urn.split("::").with(0, "").join("::"))),
    /** A pending creation is no obstacle, since the object is taken over by its name. */
    isUnfinished:
      resources.some((resource) => resource.delete === true) ||
      (deployment?.pending_operations ?? []).some(({ type, resource }) => type !== "creating" && isTheirs(resource)),
  };
}
