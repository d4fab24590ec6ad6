import { isDeepStrictEqual } from "node:util";
import { dataBeside, mostData } from "../../../cluster/kinds/dataSize.ts";
import {
  type ClusterSnapshot,
  liveOf,
  type ManagedObject,
  objectKey,
  serviceKey,
} from "../../../cluster/read/snapshot.ts";
import { homeRoles } from "../../../config/model/memberTypes.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { indexPage } from "../../../config/schema/starter.ts";
import { madeAnnotation, starterAnnotation } from "../../../naming/labels.ts";
import { logicalNames } from "../../../naming/logicalNames.ts";
import { namespaceName, roleName, serviceName } from "../../../naming/names.ts";
import { isMadeFor } from "../../compare/foreign.ts";
import { isUnread } from "../unread/unread.ts";
import { caddyFiles, type StarterKind, starterObject, starterParts, starterPodLabels } from "./names.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "starter">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/** Whose what stands under one of a starter app's names is, if anything does. */
export type StarterState = "ours" | "foreign" | "absent";

/** What a snapshot has of one object of a starter app. */
export interface FoundStarter {
  readonly kind: StarterKind;
  readonly state: StarterState;
  /** Undefined for what is not there, or what nobody could look at. */
  readonly live: ManagedObject | undefined;
}

/** What there is of a member's starter app; where nobody could look, Pulumi's state tells. */
export function foundStarter(member: Member, kind: StarterKind, settings: OfStack, snapshot: Live): FoundStarter {
  const live = liveOf(starterObject(member, kind), snapshot);
  if (isUnread(kind, snapshot)) {
    const stands = snapshot.unread?.last?.has(logicalNames.starter(member, starterParts[kind])) ?? true;
    return { kind, state: stands ? "ours" : "absent", live: undefined };
  }
  if (live === undefined) {
    return { kind, state: "absent", live };
  }
  const isOwn = isMadeFor(member, live, settings);
  return { kind, state: isOwn && !isFixed(live, member, settings) ? "ours" : "foreign", live };
}

/**
 * Whether nobody can make it what is declared: a Deployment for other pods than ours; and of what is kept, pages that are to
 * stay as they are, or anything with so much in it that ours does not fit in. To try it would fail, and with it the run for
 * everybody else.
 */
function isFixed({ content, isLarge }: ManagedObject, member: Member, settings: OfStack): boolean {
  const { selector } = Object(content.spec) as { readonly selector?: object };
  const isOfOtherPods =
    selector !== undefined && !isDeepStrictEqual(selector, { matchLabels: starterPodLabels(member) });
  const isKept = member.starter?.mode === "kept";
  return isOfOtherPods || (isKept && (content.immutable === true || isLarge === true || isFull(content, settings)));
}

/** For Caddy's files, and for what stands for placeholders, in bytes. */
const mostOfOurs = 65_536;

/** Whether there is so much beside the stack's pages that these have no room any more. */
function isFull(content: ManagedObject["content"], { starter: { pages = { [indexPage]: "" } } }: OfStack): boolean {
  const theirs = dataBeside(content, [...Object.keys(pages), ...Object.values(caddyFiles)]);
  const ours = () => Object.values(pages).reduce((sum, page) => sum + Buffer.byteLength(page), mostOfOurs);
  return theirs > 0 && theirs + ours() > mostData;
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
  return live.annotations[madeAnnotation] !== undefined && isMadeFor(member, live, settings) ? "ours" : "foreign";
}

/**
 * Whether a member's role says that a starter app was made for them. Either role will do: who comes to have the other one
 * keeps what was made.
 */
export function wasStarterMade(member: Member, snapshot: Live): boolean {
  if (isUnread("Role", snapshot)) {
    return snapshot.unread?.last?.has(logicalNames.starter(member, "deployment")) ?? true;
  }
  return homeRoles.some(
    (home) =>
      snapshot.managedObjects.get(objectKey("Role", roleName(home), namespaceName(member)))?.annotations[
        starterAnnotation
      ] !== undefined,
  );
}
