import { hasQuota } from "../config/memberTypes.ts";
import type { Member, Settings } from "../config/settings.ts";
import { namespaceName } from "../naming/names.ts";
import { isOurs } from "./foreign.ts";
import { type ClusterSnapshot, guardKey } from "./snapshot.ts";

/** Whether a member's namespace is being deleted: nothing can be made in it any more, and what is in it goes. */
export function isEnding(member: Pick<Member, "name">, { guards }: Pick<ClusterSnapshot, "guards">): boolean {
  return guards.get(guardKey("Namespace", namespaceName(member)))?.terminating === true;
}

/** Why a member's path is closed meanwhile. */
export const endingReason = (member: Pick<Member, "name">) => `namespace '${namespaceName(member)}' is being deleted`;

/** What a run does about members whose namespace is being deleted. */
export interface Ending {
  /** Those of whom it registers nothing, since Pulumi's state has nothing that it would delete then. */
  readonly leftOut: ReadonlySet<Member>;
  /** Why it can't go on, an obstacle each. */
  readonly refused: readonly string[];
}

/**
 * Of members whose namespace is being deleted, a run leaves all that Pulumi's state has as it stands, but for the route.
 * What the state has not, as after a refresh or of who comes back while they are being removed, a run would have to make: the
 * API server refuses that, and everybody's run would fail half-way.
 * @param last logical names of what the state has; undefined where that is not known
 */
export function endingOf(
  members: readonly Member[],
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "guards" | "namespaces">,
  last: ReadonlySet<string> | undefined,
): Ending {
  const ending = members.filter((member) => isOursEnding(member, settings, snapshot));
  const known = new Set([...(last ?? [])].map((name) => name.split("/")[0]));
  const leftOut = ending.filter(({ name }) => last !== undefined && !known.has(name));
  const lacks = (member: Member) => partsOf(member).some((part) => !last?.has(`${member.name}/${part}`));
  const unclear = ending.filter((member) => !leftOut.includes(member) && lacks(member));
  return { leftOut: new Set(leftOut), refused: unclear.map(waitForEnd) };
}

/** What every run registers in a member's namespace (components/memberEnvironment.ts); a path is none of it. */
function partsOf(member: Member): string[] {
  const { home } = member.type;
  return [
    ...["namespace", "limits", "isolation", "service-account", `role/${home}`],
    ...(hasQuota(member) ? ["quota"] : []),
    ...(member.standing === "active" ? [`binding/${home}`] : []),
  ];
}

/** Whether it is one that this stack has made: of any other, a run says first whose it is. */
export const isOursEnding = (
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "guards" | "namespaces">,
): boolean => {
  const home = snapshot.namespaces.get(namespaceName(member));
  return home !== undefined && isEnding(member, snapshot) && isOurs(home, settings);
};

/** That nobody can go on before it is gone. */
export const waitForEnd = (member: Pick<Member, "name">) =>
  `member '${member.name}': namespace '${namespaceName(member)}' is still being deleted; wait until it is gone, then run again`;
