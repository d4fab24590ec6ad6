import { bucketObjectNames } from "../../cluster/kinds/bucketKinds.ts";
import { type ClusterSnapshot, guardKey, type ObjectName, serviceKey } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { logicalNames } from "../../naming/logicalNames.ts";
import {
  clusterRoleBindingName,
  limitRangeName,
  namespaceName,
  networkPolicyName,
  resourceQuotaName,
  roleName,
  serviceAccountName,
  serviceName,
} from "../../naming/names.ts";
import { isOurs } from "../compare/foreign.ts";
import { starterKinds, starterObject, starterParts } from "../decisions/starter/names.ts";
import { isUnread } from "../decisions/unread/unread.ts";

/** Whether a member's namespace is being deleted: nothing can be made in it any more, and what is in it goes. */
export function isEnding(member: Pick<Member, "name">, { guards }: Pick<ClusterSnapshot, "guards">): boolean {
  return guards.get(guardKey("Namespace", namespaceName(member)))?.terminating === true;
}

/** Why a member's path is closed meanwhile. */
export const endingReason = (member: Pick<Member, "name">) => `namespace '${namespaceName(member)}' is being deleted`;

/** Names of those whose is. */
export const endingMembers = (
  members: readonly Member[],
  snapshot: Pick<ClusterSnapshot, "guards">,
): ReadonlySet<string> => new Set(members.filter((member) => isEnding(member, snapshot)).map(({ name }) => name));

/** What a run does about members whose namespace is being deleted. */
export interface Ending {
  /** Those of whom it registers nothing, since Pulumi's state has nothing that it would delete then. */
  readonly leftOut: ReadonlySet<Member>;
  /** Logical names of what it does not register of the others, since it is not there any more. */
  readonly gone: ReadonlySet<string>;
  /** Why it can't go on, an obstacle each. */
  readonly refused: readonly string[];
}

type Live = Pick<ClusterSnapshot, "guards" | "namespaces" | "services" | "unread">;

/**
 * Of members whose namespace is being deleted, a run leaves all that is still there as it stands, but for the route. What is
 * gone, as it may be from Pulumi's state after a refresh, or of who comes back while they are being removed, a run would have
 * to make: the API server refuses that, and everybody's run would fail half-way. So it is not registered; and of what the
 * state has, it is forgotten.
 * @param last logical names of what the state has, or had before this run's refresh; undefined where that is not known
 */
export function endingOf(
  members: readonly Member[],
  settings: Settings,
  snapshot: Live,
  last: ReadonlySet<string> | undefined,
): Ending {
  const ending = members.filter((member) => isOursEnding(member, settings, snapshot));
  const known = new Set([...(last ?? [])].map((name) => name.split("/")[0]));
  const leftOut = ending.filter(({ name }) => last !== undefined && !known.has(name));
  const others = ending.filter((member) => !leftOut.includes(member));
  const unclear = others.filter((member) => !last?.has(logicalNames.namespace(member)));
  const gone = others.flatMap((member) =>
    objectsOf(member, settings).filter(([name, object]) => !last?.has(name) || !isThere(object, snapshot)),
  );
  return { leftOut: new Set(leftOut), gone: new Set(gone.map(([name]) => name)), refused: unclear.map(waitForEnd) };
}

/** What nobody could look at may be there: a preview shows it as the state has it. */
const isThere = ({ kind, name, namespace = "" }: ObjectName, { guards, services, unread }: Live): boolean =>
  kind === "Service"
    ? services.has(serviceKey(namespace, name)) || isUnread(kind, { unread })
    : guards.has(guardKey(kind, name, namespace || undefined)) || isUnread(kind, { unread });

/** What a run may register of a member beside the namespace and a route, each by its logical name. */
function objectsOf(member: Member, settings: Settings): (readonly [string, ObjectName])[] {
  const namespace = namespaceName(member);
  const { home, others } = member.type;
  const part = (name: string, kind: ObjectName["kind"], called: string) =>
    [`${member.name}/${name}`, { kind, name: called, namespace }] as const;
  const view = others === "none" ? undefined : clusterRoleBindingName(member, others, settings);
  return [
    part("limits", "LimitRange", limitRangeName),
    part("isolation", "NetworkPolicy", networkPolicyName),
    part("service-account", "ServiceAccount", serviceAccountName),
    part("quota", "ResourceQuota", resourceQuotaName),
    part(`role/${home}`, "Role", roleName(home)),
    part(`binding/${home}`, "RoleBinding", roleName(home)),
    ...(view === undefined
      ? []
      : [
          [
            `${member.name}/others/${others}`,
            { kind: "ClusterRoleBinding", name: view, namespace: undefined },
          ] as const,
        ]),
    [logicalNames.service(member), { kind: "Service", name: serviceName(member), namespace }],
    ...starterKinds.map(
      (kind) => [logicalNames.starter(member, starterParts[kind]), starterObject(member, kind)] as const,
    ),
    ...bucketObjectNames(member, settings).map(
      (object) =>
        [logicalNames.bucketPart(member, object.name, object.kind === "Secret" ? "secret" : "config"), object] as const,
    ),
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
