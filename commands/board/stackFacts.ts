import type { KubernetesObject } from "@kubernetes/client-node";
import { managedObjectOf } from "../../cluster/read/snapshot/managedObjects.ts";
import { type ClusterSnapshot, objectKey } from "../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { atMoment, nextSleeps } from "../../plan/decisions/sleep.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import { Problem } from "../common/problem.ts";
import { listOf } from "../members/labels.ts";
import type { BoardFacts, BoardMember, Turn } from "./model.ts";

/** Facts from stacks' files, beside those of the cluster. */
interface StackFacts extends Required<Pick<BoardFacts, "labels" | "turns">> {
  /** Stacks whose files can't be read, with the reason. */
  readonly unread: readonly string[];
}

/** The members of a page, and where they come from. */
export interface Listed {
  /** As the cluster shows them. */
  readonly members: readonly MemberOverview[];
  /** Theirs, which record who is kept awake. */
  readonly namespaces: readonly KubernetesObject[];
  /** The requested stack, which may be split; undefined for all. */
  readonly stack: string | undefined;
}

/**
 * Labels and times of sleep, which only the stacks' files have.
 * @param folder the project's, with `Pulumi.yaml`
 */
export function stackFacts({ members, namespaces, stack: asked }: Listed, folder: string, now: Date): StackFacts {
  const labels = new Map<string, BoardMember["labels"]>();
  const turns = new Map<string, Turn>();
  const unread: string[] = [];
  const homes = { managedObjects: homesOf(namespaces) };
  let left = [...new Set([...(asked === undefined ? [] : [asked]), ...members.map(({ stack }) => stack)])];
  for (let stack = left.shift(); stack !== undefined; stack = left.shift()) {
    const read = readable(stack, folder);
    if (typeof read === "string") {
      unread.push(`${stack}: ${read}`);
      continue;
    }
    left = left.filter((other) => !read.isOf(other));
    const names = new Set(members.filter((member) => read.isOf(member.stack)).map(({ member }) => member));
    const listed = read.members.filter(({ name }) => names.has(name));
    for (const member of listed) {
      labels.set(member.name, member.labels);
    }
    for (const [name, turn] of turnsOf(atMoment(listed, homes, now), homes, now)) {
      turns.set(name, turn);
    }
  }
  return { labels, turns, unread };
}

/** A stack's list, or why it can't be read. */
function readable(stack: string, folder: string) {
  try {
    return listOf(stack, folder);
  } catch (error) {
    if (error instanceof Problem) {
      return error.message;
    }
    throw error;
  }
}

const homesOf = (homes: readonly KubernetesObject[]): ClusterSnapshot["managedObjects"] =>
  new Map(homes.map((home) => [objectKey("Namespace", home.metadata?.name ?? ""), managedObjectOf("Namespace", home)]));

/**
 * When members fall asleep or wake next, by name.
 * @param members as they are `atMoment`
 */
export function turnsOf(
  members: readonly Member[],
  live: Pick<ClusterSnapshot, "managedObjects">,
  now: Date,
): Map<string, Turn> {
  const zone = ({ schedule }: Member) => schedule?.timeZone ?? "UTC";
  const wakes = members.flatMap((member): [string, Turn][] =>
    member.sleep === undefined ? [] : [[member.name, { to: "awake", at: member.sleep.until, timeZone: zone(member) }]],
  );
  const sleeps = [...nextSleeps(members, live, now)].map(([member, at]): [string, Turn] => [
    member.name,
    { to: "asleep", at: at.toISOString(), timeZone: zone(member) },
  ]);
  return new Map([...wakes, ...sleeps]);
}
