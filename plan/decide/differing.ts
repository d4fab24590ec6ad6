import { logicalName } from "../../cluster/kinds/liveObject.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import type { Found } from "../../cluster/read/snapshot.ts";
import { isCustomKind } from "../../config/names/customKinds.ts";
import { unseenAnnotation } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { bucketInputs, bucketUserInputs } from "../../objects/buckets/bucketInputs.ts";
import { digestOf } from "../live/changedFields.ts";
import { type Classified, isRebound } from "../live/classify.ts";
import { isEnding } from "../live/ending.ts";
import type { KnownState } from "../live/knownState.ts";
import { additionsToMembers } from "../members/additions.ts";
import type { MemberPlan } from "../members/memberPlan.ts";
import { isMissing } from "../members/missing.ts";
import { ownedByOthers } from "../members/owners.ts";
import type { Plan } from "../members/plan.ts";
import { restlessMembers, sleepersIn, waitedFor } from "../members/restless.ts";
import { isRead } from "../rows/manifest.ts";
import type { PlannedKind, PlannedObject, ReadObject } from "../rows/row.ts";

export interface PlanAndState extends Plan {
  readonly state: KnownState;
  /** Digest of what the cluster can't show of the whole stack (`stackDigest`). */
  readonly digest: string;
  /** Whether the project has a program of its own: only that knows what else it makes. */
  readonly hasProgram: boolean;
}

export interface Differing {
  /** Undefined for what members share. */
  readonly member: string | undefined;
  readonly name: string;
  /** `bucket` for a resource on a server of buckets; undefined for other work and for what is gone. */
  readonly kind?: PlannedKind | "bucket" | undefined;
  /** `work` is what a run does beside its resources; `unfinished` is what the last run has begun. */
  readonly what: "made" | "changed" | "gone" | "unfinished" | "work";
  /** Whether somebody has changed or deleted it on the cluster; false for one that is declared anew. */
  readonly isByHand: boolean;
  /** Whether Pulumi has to look at the cluster first, since its state is wrong about it. */
  readonly refresh: boolean;
  /** Whether a killed run was to make it. Default: no. */
  readonly isCreation?: boolean;
}

export const digestOn = (live: Found): string | undefined => live.annotations[unseenAnnotation];

export function bucketDigest({ member, settings, objects }: Pick<MemberPlan, "member" | "settings" | "objects">) {
  const { buckets = [] } = member;
  return settings.storage === undefined || buckets.length === 0
    ? undefined
    : digestOf([
        buckets.map((bucket) => bucketInputs(member, bucket, "key")),
        bucketUserInputs(member),
        objects.filter((object) => !isRead(object)).map(({ args }) => args),
      ]);
}

/** Results by plan: a plan never changes in place, and a run asks more than once. */
const found = new WeakMap<PlanAndState, readonly Differing[]>();

/** All that differs: contents from the cluster, and names from Pulumi's state. Computed once for each plan. */
export function differingIn(known: PlanAndState): readonly Differing[] {
  const differing = found.get(known) ?? look(known);
  found.set(known, differing);
  return differing;
}

function look(known: PlanAndState): Differing[] {
  const { shared, classified, members, snapshot, state } = known;
  const planned = new Set(["access", ...shared.map(({ part }) => part), ...members.flatMap(namesOf)]);
  const ending = new Set(members.flatMap(({ member }) => (isEnding(member, snapshot) ? [member.name] : [])));
  const all = [
    ...shared.flatMap((object) => madeIn(object, undefined, state)),
    ...classified.flatMap((each) => contentOf(each, undefined, state)),
    ...members.flatMap((plan) => ofMember(plan, state)),
    ...state.resources.filter(({ name }) => !planned.has(name)).map((one) => differs(one, "gone")),
  ];
  return [
    // Until the namespace is gone, a run can only close the route; then it has Pulumi find that it is gone.
    ...all.filter(
      ({ member = "", name, refresh }) =>
        !ending.has(member) ||
        name.includes("/route/") ||
        (refresh && name === logicalNames.namespace({ name: member })),
    ),
    ...state.unfinished
      .filter(({ name, isCreation }) => !isCreation || planned.has(name))
      .map((one) => ({ ...differs(one, "unfinished"), ...one })),
    ...workOf(known),
  ];
}

const differs = ({ name, member }: Pick<Differing, "name" | "member">, what: Differing["what"]): Differing => ({
  member,
  name,
  what,
  isByHand: false,
  refresh: false,
});

function namesOf({ member, settings, objects }: MemberPlan): string[] {
  const ofObjects = objects.map(({ part }) => logicalName({ member: member.name, part }));
  return [member.name, ...ofObjects, ...(settings.storage?.kind === "s3" ? onServer(member) : [])];
}

const onServer = (member: MemberPlan["member"]): string[] => [
  ...(bucketUserInputs(member) === undefined ? [] : [logicalNames.bucketUser(member)]),
  ...(member.buckets ?? []).map(({ name }) => logicalNames.bucket(member, name)),
];

function ofMember(plan: MemberPlan, state: KnownState): Differing[] {
  const { member, settings, objects, classified, service } = plan;
  const buckets = settings.storage?.kind === "s3" ? onServer(member) : [];
  const bucket = (name: string, what: Differing["what"]): Differing => ({
    ...differs({ name, member: member.name }, what),
    kind: "bucket",
  });
  const home = classified.find(({ object }) => object.part === "namespace")?.live;
  const areSame = home === undefined || digestOn(home) === bucketDigest(plan);
  return [
    ...(state.names.has(member.name) ? [] : [differs({ name: member.name, member: member.name }, "made")]),
    ...objects.flatMap((object) => madeIn(object, member.name, state)),
    ...classified.flatMap((each) => contentOf(each, member.name, state)),
    ...(service !== undefined && (service.isTakenOver || service.mends.length > 0)
      ? [
          {
            ...differs({ name: logicalNames.service(member), member: member.name }, "changed"),
            kind: "Service",
          } as const,
        ]
      : []),
    ...buckets.flatMap((name) => (state.names.has(name) ? [] : [bucket(name, "made")])),
    ...(areSame ? [] : [bucket(logicalNames.bucketUser(member), "changed")]),
  ];
}

/** A resource that the state lacks: new, or made by a run that was killed before it wrote that down. */
function madeIn({ part, kind }: PlannedObject, member: string | undefined, { names }: KnownState): Differing[] {
  const name = member === undefined ? part : logicalName({ member, part });
  return names.has(name) ? [] : [{ ...differs({ name, member }, "made"), kind }];
}

function contentOf(each: Classified<ReadObject>, member: string | undefined, state: KnownState): Differing[] {
  const { object, standing, verdict } = each;
  const name = member === undefined ? object.part : logicalName({ member, part: object.part });
  const isLost = isMissing(each, state.objects) || (isRebound(each) && state.objects.has(keyOf(object)));
  // What is to be adopted, and is already, has lost the labels by hand.
  const isChanged =
    verdict === "changedByHand" || verdict === "declaredAnew" || (verdict === "toTakeOver" && each.difference.by);
  const isOther =
    (object.marked !== "none" && isChanged) || (isCustomKind(object.kind) && !state.objects.has(keyOf(object)));
  if (!state.names.has(name) || object.ignored.length > 0 || !(isLost || isOther || standing === "toMake")) {
    return [];
  }
  return [
    {
      ...differs({ name, member }, "changed"),
      kind: object.kind,
      isByHand: verdict !== "declaredAnew",
      refresh: isLost,
    },
  ];
}

function workOf(known: PlanAndState): Differing[] {
  const { members, snapshot, state } = known;
  const own = members.map(({ member }) => member);
  /** Looks at each only if it is true of any. */
  const those = (is: (some: Plan["members"]) => boolean) =>
    is(members) ? members.filter((each) => is([each])).map(({ member }) => member.name) : [];
  const names = [
    // Put back into the list before their old namespace is gone: a run tells of them.
    ...own.flatMap((member) =>
      isEnding(member, snapshot) && !state.names.has(logicalNames.namespace(member)) ? [member.name] : [],
    ),
    ...restlessMembers(own, snapshot).map(({ member }) => member),
    ...sleepersIn(own, snapshot).map(({ member }) => member),
    ...waitedFor(known).map(({ member }) => member.name),
    // A run removes foreign owners, and additions that no resource shows, as on a Service.
    ...those((some) => ownedByOthers({ ...known, members: some, shared: [] }).length > 0),
    // It removes nothing from a namespace that is being deleted.
    ...those((some) => additionsToMembers(some.filter(({ member }) => !isEnding(member, snapshot))).length > 0),
  ];
  return names.map((name) => differs({ name, member: name }, "work"));
}
