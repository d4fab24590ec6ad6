import { kinds } from "../../cluster/kinds/kinds.ts";
import type { LiveObject, NamedObject } from "../../cluster/kinds/liveObject.ts";
import {
  type ClusterSnapshot,
  type GuardKind,
  guardKey,
  type LiveGuard,
  type ObjectName,
  serviceKey,
} from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { madeAnnotation } from "../../naming/labels.ts";
import { type Declared, Drift } from "../compare/drift.ts";
import { isCosiKind } from "../decisions/buckets/cosi.ts";
import { leftBucketFields } from "../decisions/buckets/names.ts";
import { bucketsPlan } from "../decisions/buckets/plan.ts";
import { managedServiceOf } from "../decisions/managedService.ts";
import { isOpening, readinessOf } from "../decisions/readiness.ts";
import { starterImageOf } from "../decisions/starter/image.ts";
import { leftStarterFields } from "../decisions/starter/names.ts";
import { starterPlan } from "../decisions/starter/plan.ts";
import { adopting } from "../membership/adoption/adopt.ts";
import { bucketObjectsOf } from "../objects/buckets/bucketObjects.ts";
import { backendCaSecret } from "../objects/route/backendCaSecret.ts";
import { managedService } from "../objects/route/managedService.ts";
import { starterObjects } from "../objects/starter/starterObjects.ts";
import { baseOf, type DeclaredObject, routeOf, sharedOf } from "./declared.ts";
import { memberPart, sharedPart } from "./parts.ts";

/** An object as a run would register it now, and what is there under its name. */
export interface DeclaredResource extends NamedObject {
  /** Whether it is on the cluster. */
  readonly isThere: boolean;
  /** What it is compared with there; undefined for a Service, and for what is not there. */
  readonly guard: LiveGuard | undefined;
}

/**
 * All that a full run would register now, but for the stack, its provider and the components: made by the same builders,
 * with the same mark of what was applied, and with a route for those whose path opens.
 */
export function declaredResources(
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): DeclaredResource[] {
  const drift = new Drift(snapshot, new Set(), adopting(members));
  const shared = [...sharedOf(settings), ...secretOf(settings)].map((object) =>
    resource(object, marked(object, drift), undefined, settings, snapshot),
  );
  return [...shared, ...members.flatMap((member) => resourcesOfMember(member, settings, snapshot, drift))];
}

type Plain = Pick<DeclaredObject, "kind" | "args">;

function resourcesOfMember(member: Member, settings: Settings, snapshot: ClusterSnapshot, drift: Drift) {
  const plan = managedServiceOf(member, settings, snapshot);
  const starter = starterPlan(member, settings, snapshot);
  const opens = isOpening(readinessOf(member, settings, snapshot));
  const made = (object: Plain, args: Declared) => resource(object, args, member, settings, snapshot);
  const left = (fields: readonly string[]) => (fields.length === 0 ? {} : { left: fields });
  // Of what is left, a run says no more than its name.
  const unsaid = (declared: DeclaredResource, fields: readonly string[]): DeclaredResource => {
    const { apiVersion, kind, metadata } = declared.live;
    return { ...declared, live: { apiVersion, kind, metadata: namesOf(metadata) }, left: fields };
  };
  const service: Plain[] =
    plan !== undefined && "service" in plan
      ? [{ kind: "Service", args: managedService(member, plan.service, madeBefore(plan.service.annotations)) }]
      : [];
  const isServiceLeft = plan !== undefined && "service" in plan && plan.service.isLeft === true;
  return [
    ...baseOf(member, settings, starter?.marks ?? false, starterImageOf(member, settings, snapshot)).map((object) =>
      made(object, marked(object, drift)),
    ),
    ...(starter === undefined ? [] : starterObjects(member, starter, settings, snapshot.guards)).map((object) => ({
      ...made(object, object.stays ? object.args : marked(object, drift)),
      ...left(object.left),
    })),
    ...bucketsOf(member, settings, snapshot).map(({ kind, args, isLeft }) =>
      isLeft
        ? unsaid(made({ kind, args }, args), leftBucketFields[kind])
        : made({ kind, args }, drift.markedByMetadata(kind, args)),
    ),
    ...service.map((object) => {
      const declared = made(object, object.args);
      return isServiceLeft ? unsaid(declared, leftStarterFields.Service) : declared;
    }),
    ...(opens ? routeOf(member, settings) : []).map((object) => made(object, marked(object, drift))),
  ];
}

const namesOf = ({ name, namespace }: LiveObject["metadata"]) =>
  namespace === undefined ? { name } : { name, namespace };

/** One that is yet to be made differs from any that the state has. */
const madeBefore = (annotations: Readonly<Record<string, string>>) => annotations[madeAnnotation] ?? "not yet";

function bucketsOf(member: Member, settings: Settings, snapshot: ClusterSnapshot) {
  const { left, leftOut } = bucketsPlan(member, settings, snapshot);
  return bucketObjectsOf(member, settings).flatMap(({ part: _, apiVersion: __, kind, ...args }) => {
    const isOne = (object: ObjectName) => object.kind === kind && object.name === args.metadata.name;
    return isCosiKind(kind) || leftOut.some(isOne) ? [] : [{ kind, args, isLeft: left.some(isOne) }];
  });
}

function secretOf(settings: Settings): Plain[] {
  const secret = backendCaSecret(settings);
  return secret === undefined ? [] : [{ kind: "Secret", args: secret }];
}

/** Of the Services beside an ingress controller no run marks what it has applied. */
function marked({ kind, args }: Plain, drift: Drift): Declared {
  return kind === "Service" ? args : drift.marked(kind as GuardKind, args);
}

function resource(
  { kind }: Plain,
  args: Declared,
  member: Member | undefined,
  settings: Settings,
  { guards, services }: ClusterSnapshot,
): DeclaredResource {
  const { name, namespace } = args.metadata;
  // Without what is undefined, as it reaches the state.
  const plain = JSON.parse(JSON.stringify(args)) as Record<string, unknown>;
  const live = { ...plain, apiVersion: kinds[kind].apiVersion, kind } as LiveObject;
  const part = member === undefined ? sharedPart(live, settings) : memberPart(live, member, settings);
  if (part === undefined) {
    throw new Error(`a run has no name for ${kind} ${name}`);
  }
  const guard = kind === "Service" ? undefined : guards.get(guardKey(kind, name, namespace));
  const isThere = kind === "Service" ? services.has(serviceKey(namespace ?? "", name)) : guard !== undefined;
  return { live, member: member?.name, part, isThere, guard };
}
