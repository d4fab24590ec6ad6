import { kubectlDelete } from "../../../cluster/read/kubectl.ts";
import { type ClusterSnapshot, liveOf, type ManagedObject, type ObjectName } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings, StarterMode } from "../../../config/model/settings.ts";
import { namespaceName, serviceName } from "../../../naming/names.ts";
import { lackOfHeadroom } from "../quotaHeadroom.ts";
import { type FoundStarter, foundService, foundStarter, wasStarterMade } from "./live.ts";
import { type StarterKind, starterKinds, starterObject } from "./names.ts";

/** What a run does about a member's starter app. */
export interface StarterPlan {
  readonly mode: StarterMode;
  /** What it declares as the settings have it. */
  readonly made: readonly StarterKind[];
  /** What it registers as it stands, and never writes; `live` is undefined where nobody could look at it. */
  readonly left: readonly { readonly kind: StarterKind; readonly live: ManagedObject | undefined }[];
  /** What becomes of the Service, unless `route.readiness.mode` is `managed`: that stands before it. */
  readonly service: "made" | "left" | "none";
  /** Whether a run before this one has made it, as the member's role says. */
  readonly wasMade: boolean;
  /** Whether the role says so from this run on. */
  readonly marks: boolean;
  /** Why there is none, or not all of it, with the way out; undefined where nothing stands in the way. */
  readonly obstacle?: string;
}

type OfStack = Pick<Settings, "stack" | "shards" | "starter">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/**
 * What a run does about a member's starter app; undefined for who is to have none.
 *
 * `once`: all of it is made before the member has a key, and then their role says so. From then on it is theirs: what they
 * have changed stands, and what they have deleted stays away. Whoever was interrupted before has no mark yet, so that the
 * next run finishes what is missing.
 *
 * What is there under these names before, and not kubecamp's, is never touched.
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
  if (mode === "once" && (wasMade || member.standing !== "active")) {
    return { ...of, made: [], left: leftOf(ours), service: service === "ours" ? "left" : "none", marks: wasMade };
  }
  const inTheWay = [
    ...strange.map(({ kind }) => starterObject(member, kind)),
    ...(service === "foreign" && !wasMade ? [serviceOf(member)] : []),
  ];
  const full = noHeadroom(member, service === "absent" ? [...absent, "Service"] : absent, snapshot);
  const obstacle = taken(inTheWay) ?? full;
  if (obstacle !== undefined && !wasMade) {
    return { ...of, made: [], left: mode === "once" ? leftOf(ours) : [], service: "none", marks: false, obstacle };
  }
  if (mode === "once") {
    return { ...of, made: absent, left: leftOf(ours), service: service === "ours" ? "left" : "made", marks: true };
  }
  const kept = found.filter(({ state }) => state === "ours" || (state === "absent" && full === undefined));
  return {
    ...of,
    made: kept.map(({ kind }) => kind),
    // Pulumi's state may have it: what is not registered, it would delete by its name, whoever has made it since.
    left: leftOf(strange),
    service: "made",
    marks: true,
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}

/** How many ConfigMaps a run makes for a member's starter app that are not there. */
export function newPages(
  member: Member,
  starter: StarterPlan | undefined,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): number {
  const isMade = starter?.made.includes("ConfigMap") === true;
  return isMade && liveOf(starterObject(member, "ConfigMap"), snapshot) === undefined ? 1 : 0;
}

const leftOf = (found: readonly FoundStarter[]): StarterPlan["left"] => found.map(({ kind, live }) => ({ kind, live }));

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
  const whys = kinds.map((kind) => ({ kind, why: lackOfHeadroom(member, kind, snapshot, 1, true) }));
  const [first] = whys.filter(({ why }) => why !== undefined);
  return first && `its ${first.kind} can't be made: ${first.why}`;
}
