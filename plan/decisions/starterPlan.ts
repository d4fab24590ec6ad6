import type { V1Deployment } from "@kubernetes/client-node";
import { kubectlDelete, type ObjectName } from "../../cluster/kinds/objectName.ts";
import { type ClusterSnapshot, contentOf, liveOf, type ManagedObject } from "../../cluster/read/snapshot.ts";
import { imagesWith } from "../../config/images.ts";
import { type Member, mayRun } from "../../config/member/member.ts";
import type { StarterMode } from "../../config/member/types.ts";
import { starterImageAnnotation } from "../../config/names/labels.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { type StarterKind, starterKinds, starterObject } from "../../objects/starter/names.ts";
import { recordedOnRoles } from "../live/owner.ts";
import { isUnread, uncheckedReason } from "../live/unread.ts";
import { lackOfHeadroom } from "./quotaHeadroom.ts";
import { type FoundStarter, foundService, foundStarter, wasStarterMade } from "./starterLive.ts";

export interface StarterPlan {
  readonly mode: StarterMode;
  readonly made: readonly StarterKind[];
  /** Objects that it registers and never writes; `live` is undefined if nobody could read it. */
  readonly left: readonly { readonly kind: StarterKind; readonly live: ManagedObject | undefined }[];
  /** Treatment of the Service, unless `route.readiness.mode` is `managed`, which takes precedence. */
  readonly service: "made" | "left" | "none";
  readonly wasMade: boolean;
  readonly marks: boolean;
  /** Why the app is missing or incomplete, with a solution; undefined if nothing is in the way. */
  readonly obstacle?: string;
}

type OfStack = Pick<Settings, "stack" | "shards" | "starter">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/**
 * `once`: a run makes all of it before the member has a key, and records that on their Role. From then on it is theirs:
 * their changes stay, and what they deleted stays away. After an interruption there is no record yet, so that the next
 * run finishes it. A run never touches objects of these names that are not kubecamp's, nor those of who has left the
 * list: the settings of today may not fit into their quota.
 */
export function starterPlan(member: Member, settings: OfStack, snapshot: Live): StarterPlan | undefined {
  if (member.starter === undefined) {
    return undefined;
  }
  const { mode } = member.starter;
  const wasMade = wasStarterMade(member, snapshot);
  const of = { mode, wasMade };
  const found = starterKinds.map((kind) => foundStarter(member, kind, settings, snapshot));
  const service = foundService(member, settings, snapshot);
  const ours = found.filter(({ state }) => state === "ours");
  const strange = found.filter(({ state }) => state === "foreign");
  const absent = found.flatMap(({ kind, state }) => (state === "absent" ? [kind] : []));
  const isLeft = member.leaves !== undefined || (mode === "once" && (wasMade || !mayRun(member)));
  if (isLeft) {
    return { ...of, made: [], left: kindsAndLive(ours), service: service === "ours" ? "left" : "none", marks: wasMade };
  }
  const inTheWay = [
    ...strange.map(({ kind }) => starterObject(member, kind)),
    ...(service === "foreign" && !wasMade ? [serviceOf(member)] : []),
  ];
  const full = noHeadroom(member, service === "absent" ? [...absent, "Service"] : absent, snapshot);
  const obstacle =
    unchecked(snapshot) ?? taken(inTheWay) ?? (mode === "kept" ? unreadable(member, ours) : undefined) ?? full;
  if (obstacle !== undefined && !wasMade) {
    return {
      ...of,
      made: [],
      left: mode === "once" ? kindsAndLive(ours) : [],
      service: "none",
      marks: false,
      obstacle,
    };
  }
  if (mode === "once") {
    return {
      ...of,
      made: absent,
      left: kindsAndLive(ours),
      service: service === "ours" ? "left" : "made",
      marks: true,
    };
  }
  const kept = readable(found).filter(({ state }) => state === "ours" || (state === "absent" && full === undefined));
  return {
    ...of,
    made: kept.map(({ kind }) => kind),
    // Pulumi's state may have it, and would delete it by name if it were not registered, whoever has made it since. One that
    // Pulumi can't read would fail the run for everybody.
    left: kindsAndLive(strange),
    service: "made",
    marks: true,
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

export function newPages(
  member: Member,
  starter: StarterPlan | undefined,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): number {
  const isMade = starter?.made.includes("ConfigMap") === true;
  return isMade && liveOf(starterObject(member, "ConfigMap"), snapshot) === undefined ? 1 : 0;
}

const kindsAndLive = (found: readonly FoundStarter[]): StarterPlan["left"] =>
  readable(found).map(({ kind, live }) => ({ kind, live }));

/** Those that Pulumi can read. It has to forget a member's own that it can't: each run would fail for everybody. */
const readable = (found: readonly FoundStarter[]) => found.filter(({ live }) => live?.isMarked !== true);

/** Why an object of a `kept` app is missing. A run that has made it as such deletes it; somebody else has to otherwise. */
function unreadable(member: Member, found: readonly FoundStarter[]): string | undefined {
  const objects = found.flatMap(({ kind, live }) => (live?.isMarked === true ? [starterObject(member, kind)] : []));
  const [first] = objects;
  return (
    first &&
    `${first.kind} '${first.namespace}/${first.name}' has a text that Pulumi takes for a mark of its own, and is left out; delete it if it is ` +
      `there after this run ('${kubectlDelete(objects)}'), and the next one makes it anew`
  );
}

/** Why the watch makes none: objects of these names may be somebody else's. */
function unchecked(snapshot: Live): string | undefined {
  const kind = snapshot.unread?.isLeftOut ? starterKinds.find((each) => isUnread(each, snapshot)) : undefined;
  return kind && uncheckedReason(snapshot, kind);
}

const serviceOf = (member: Member): ObjectName => ({
  kind: "Service",
  name: serviceName(member),
  namespace: namespaceName(member),
});

function taken(objects: readonly ObjectName[]): string | undefined {
  if (objects.length === 0) {
    return undefined;
  }
  const titles = objects.map(({ kind, name, namespace }) => `${kind} '${namespace}/${name}'`).join(" and ");
  const [are, they, them] = objects.length === 1 ? ["is", "it", "it"] : ["are", "they", "them"];
  return (
    `${titles} ${are} there, and ${they} ${are} not kubecamp's, or nobody can change ${them}; have the member rename ${them}, or delete ${them} if ` +
    `nobody needs ${them} ('${kubectlDelete(objects)}')`
  );
}

function noHeadroom(member: Member, kinds: readonly ObjectName["kind"][], snapshot: Live): string | undefined {
  const whys = kinds.map((kind) => ({ kind, why: lackOfHeadroom(member, kind, snapshot, { isAfterQuota: true }) }));
  const [first] = whys.filter(({ why }) => why !== undefined);
  return first && `its ${first.kind} can't be made: ${first.why}`;
}

export interface StarterStatus {
  readonly mode: StarterMode;
  readonly replicas: number;
  /** Number of pods ready when the run began; 0 for a new app. */
  readonly available: number;
}

interface StarterFacts {
  readonly member: Member;
  readonly settings: Pick<Settings, "starter">;
  readonly starter?: StarterPlan | undefined;
}

/** Status of an app that a run makes or keeps, or has made before; undefined without one, or if nobody could read it. */
export function starterStatusOf(
  { member, settings, starter: plan }: StarterFacts,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "unread">,
): StarterStatus | undefined {
  const isMembers = plan?.mode === "once" && plan.left.some(({ kind }) => kind === "Deployment");
  if (plan === undefined || isUnread("Deployment", snapshot) || !(isMembers || plan.made.includes("Deployment"))) {
    return undefined;
  }
  const { spec, status } = contentOf(liveOf(starterObject(member, "Deployment"), snapshot)) as V1Deployment;
  return {
    mode: plan.mode,
    replicas: isMembers ? (spec?.replicas ?? 1) : settings.starter.replicas,
    available: status?.availableReplicas ?? 0,
  };
}

/** A member's `once` app keeps the image that it was made with, whatever the settings become. Their Role records it. */
export function starterImageOf(
  member: Member,
  starter: StarterPlan | undefined,
  settings: Pick<Settings, "starter">,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): string | undefined {
  const [known] = recordedOnRoles(member, starterImageAnnotation, snapshot);
  if (member.starter === undefined) {
    return known;
  }
  const { mode, marks } = starter ?? { mode: "kept", marks: false };
  return mode === "once" && marks ? (known ?? settings.starter.image) : undefined;
}

/** The member with that image on their list, so that the app's pods are admitted whenever they are recreated. */
export function withImage<T extends Pick<Member, "images">>(member: T, image: string | undefined): T {
  return member.images === undefined || image === undefined
    ? member
    : { ...member, images: imagesWith(member.images, image) };
}
