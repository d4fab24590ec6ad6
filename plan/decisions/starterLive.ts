import { isDeepStrictEqual } from "node:util";
import { dataBeside, mostData } from "../../cluster/kinds/dataSize.ts";
import { serviceKey } from "../../cluster/kinds/objectName.ts";
import { type ClusterSnapshot, liveOf, type ManagedObject } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { madeAnnotation, starterAnnotation } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { indexPage } from "../../config/starter.ts";
import {
  caddyFiles,
  type StarterKind,
  starterObject,
  starterParts,
  starterPodLabels,
} from "../../objects/starter/names.ts";
import { isMadeFor, recordedOnRoles } from "../live/owner.ts";
import { isUnread } from "../live/unread.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "starter">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

type StarterState = "ours" | "foreign" | "absent";

export interface FoundStarter {
  readonly kind: StarterKind;
  readonly state: StarterState;
  /** Undefined if it is absent or nobody could read it. */
  readonly live: ManagedObject | undefined;
}

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

/** For others' pods; or of a `kept` app, immutable or too full. A try would fail the run for everybody else. */
function isFixed({ content, isLarge }: ManagedObject, member: Member, settings: OfStack): boolean {
  const { selector } = Object(content.spec) as { readonly selector?: object };
  const isOfOtherPods =
    selector !== undefined && !isDeepStrictEqual(selector, { matchLabels: starterPodLabels(member) });
  const isKept = member.starter?.mode === "kept";
  return isOfOtherPods || (isKept && (content.immutable === true || isLarge === true || isFull(content, settings)));
}

const mostOfOurs = 65_536;

function isFull(content: ManagedObject["content"], { starter: { pages = { [indexPage]: "" } } }: OfStack): boolean {
  const theirs = dataBeside(content, [...Object.keys(pages), ...Object.values(caddyFiles)]);
  const ours = () => Object.values(pages).reduce((sum, page) => sum + Buffer.byteLength(page), mostOfOurs);
  return theirs > 0 && theirs + ours() > mostData;
}

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

/** Either Role counts, so that a member whose type changes keeps the app. */
export function wasStarterMade(member: Member, snapshot: Live): boolean {
  if (isUnread("Role", snapshot)) {
    return snapshot.unread?.last?.has(logicalNames.starter(member, "deployment")) ?? true;
  }
  return recordedOnRoles(member, starterAnnotation, snapshot).length > 0;
}
