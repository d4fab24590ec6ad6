import { isDeepStrictEqual } from "node:util";
import type { Member, Settings } from "../../config/settings.ts";
import { madeAnnotation, memberLabel, starterAnnotation } from "../../naming/labels.ts";
import { logicalNames } from "../../naming/logicalNames.ts";
import { namespaceName, roleName, serviceName } from "../../naming/names.ts";
import { isOurs } from "../foreign.ts";
import { type ClusterSnapshot, guardKey, type LiveGuard, serviceKey } from "../snapshot.ts";
import { isUnread } from "../unread/unread.ts";
import { type StarterKind, starterObject, starterParts, starterPodLabels } from "./names.ts";

type OfStack = Pick<Settings, "stack" | "shards">;
type Live = Pick<ClusterSnapshot, "guards" | "services" | "unread">;

/** Whose what stands under one of a starter app's names is, if anything does. */
export type StarterState = "ours" | "foreign" | "absent";

/** What a snapshot has of one object of a starter app. */
export interface FoundStarter {
  readonly kind: StarterKind;
  readonly state: StarterState;
  /** Undefined for what is not there, or what nobody could look at. */
  readonly live: LiveGuard | undefined;
}

/** What there is of a member's starter app; where nobody could look, Pulumi's state tells. */
export function foundStarter(member: Member, kind: StarterKind, settings: OfStack, snapshot: Live): FoundStarter {
  const { name, namespace } = starterObject(member, kind);
  const live = snapshot.guards.get(guardKey(kind, name, namespace));
  if (isUnread(kind, snapshot)) {
    const stands = snapshot.unread?.last?.has(logicalNames.starter(member, starterParts[kind])) ?? true;
    return { kind, state: stands ? "ours" : "absent", live: undefined };
  }
  if (live === undefined) {
    return { kind, state: "absent", live };
  }
  // One that a run has applied is ours, whatever became of its labels since.
  const isOwn = live.applied !== undefined || (isOurs(live, settings) && live.labels[memberLabel] === member.name);
  return { kind, state: isOwn && !isFixed(live, member) ? "ours" : "foreign", live };
}

/** Whether nobody can make it what is declared: a Deployment for other pods than ours, or pages that are to stay as they are. */
function isFixed({ content }: LiveGuard, member: Member): boolean {
  const { selector } = Object(content.spec) as { readonly selector?: object };
  const isOfOtherPods =
    selector !== undefined && !isDeepStrictEqual(selector, { matchLabels: starterPodLabels(member) });
  return isOfOtherPods || (content.immutable === true && member.starter?.mode === "kept");
}

/** Whose the Service is that the path leads to: ours is one that a run has made or taken over. */
export function foundService(member: Member, settings: OfStack, snapshot: Live): StarterState {
  if (isUnread("Service", snapshot)) {
    return (snapshot.unread?.last?.has(logicalNames.service(member)) ?? true) ? "ours" : "absent";
  }
  const live = snapshot.services.get(serviceKey(namespaceName(member), serviceName(member)));
  if (live === undefined) {
    return "absent";
  }
  const isOwn = live.annotations[madeAnnotation] !== undefined && isOurs(live, settings);
  return isOwn && live.labels[memberLabel] === member.name ? "ours" : "foreign";
}

/**
 * Whether a member's role says that a starter app was made for them. Either role will do: who comes to have the other one
 * keeps what was made.
 */
export function wasStarterMade(member: Member, snapshot: Live): boolean {
  if (isUnread("Role", snapshot)) {
    return snapshot.unread?.last?.has(logicalNames.starter(member, "deployment")) ?? true;
  }
  return (["edit", "view"] as const).some(
    (home) =>
      snapshot.guards.get(guardKey("Role", roleName(home), namespaceName(member)))?.annotations[starterAnnotation] !==
      undefined,
  );
}
