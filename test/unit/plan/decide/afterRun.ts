import { type ApiObject, logicalName } from "../../../../cluster/kinds/liveObject.ts";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import { managedObjectOf } from "../../../../cluster/read/managedObjects.ts";
import type { ClusterSnapshot, LiveObject, ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { stackDigest } from "../../../../components/provider/providerArgs.ts";
import { manifestKind } from "../../../../config/names/customKinds.ts";
import { madeAnnotation, unseenAnnotation } from "../../../../config/names/labels.ts";
import { logicalNames } from "../../../../config/names/logicalNames.ts";
import { memberUrn, typeOf } from "../../../../config/names/urns.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { bucketUserInputs } from "../../../../objects/buckets/bucketInputs.ts";
import type { PlanAndState } from "../../../../plan/decide/differing.ts";
import { bucketDigest } from "../../../../plan/decide/differing.ts";
import { Drift } from "../../../../plan/live/drift.ts";
import { type Exported, type KnownState, knownState } from "../../../../plan/live/knownState.ts";
import type { PlannedObject } from "../../../../plan/rows/row.ts";
import { liveService } from "../../cluster/liveService.ts";
import { planOf } from "../planned.ts";

const start = "urn:pulumi:dev::kubecamp::";

/** A resource of a state, to be changed at will. */
export interface Resource {
  urn: string;
  outputs?: unknown;
  [field: string]: unknown;
}

/** All objects that a full run registers, as it declares them. */
function declared({ settings, members }: Configuration, snapshot: ClusterSnapshot) {
  const plan = planOf(members, settings, snapshot);
  const drift = new Drift(snapshot, plan.members);
  const of = (objects: readonly PlannedObject[], member?: string) =>
    objects.map((object) => {
      const { apiVersion, kind, part } = object;
      const plain = JSON.parse(JSON.stringify({ ...drift.declared(object), apiVersion, kind })) as ApiObject;
      return { live: plain, member, part };
    });
  return [...of(plan.shared), ...plan.members.flatMap(({ member, objects }) => of(objects, member.name))];
}

/** A state as Pulumi exports it after a run that made all that is declared. */
export function stateAfter(configuration: Configuration, snapshot: ClusterSnapshot) {
  const { settings, members } = configuration;
  const component = (type: string, name: string) => ({ urn: `${start}kubecamp:index:${type}::${name}` });
  const buckets = settings.storage?.kind === "s3" ? members : [];
  const resources: Resource[] = [
    { urn: `${start}pulumi:pulumi:Stack::kubecamp-dev` },
    { urn: `${start}pulumi:providers:kubernetes::cluster` },
    component("ClusterAccess", "access"),
    ...members.map(({ name }) => component("MemberEnvironment", name)),
    ...declared(configuration, snapshot).map(({ live, member, part }) => ({
      urn:
        member === undefined
          ? `${start}kubecamp:index:ClusterAccess$${typeOf(live)}::${part}`
          : memberUrn(typeOf(live), logicalName({ member, part }), "dev"),
      outputs: { ...live, kind: manifestKind(live.kind) },
    })),
    ...buckets
      .flatMap((member) => [
        ...(bucketUserInputs(member) ? [logicalNames.bucketUser(member)] : []),
        ...(member.buckets ?? []).map(({ name }) => logicalNames.bucket(member, name)),
      ])
      .map((name) => ({ urn: memberUrn("kubecamp-buckets:index:Bucket", name, "dev") })),
  ];
  return {
    deployment: {
      resources,
      pending_operations: [] as Required<Exported["deployment"] & object>["pending_operations"],
    },
  };
}

/** A cluster on which all that is declared is there, and members' Services if they were. */
export function clusterAfter(configuration: Configuration, before: ClusterSnapshot): ClusterSnapshot {
  const { settings, members } = configuration;
  const managedObjects = new Map<string, ManagedObject>();
  const namespaces = new Map(before.namespaces);
  const services = new Map(before.services);
  const live = (labels: Readonly<Record<string, string>>): LiveObject => ({ labels, terminating: false });
  namespaces.set(settings.route.namespace, live({}));
  const plans = new Map(planOf(members, settings, before).members.map((plan) => [plan.member.name, plan]));
  for (const { live: object, member = "", part } of declared(configuration, before)) {
    const { name, namespace, labels = {} } = object.metadata;
    const key = objectKey(object.kind as "Namespace", name, namespace);
    const plan = plans.get(member);
    const digest =
      part === "namespace" && plan
        ? bucketDigest(plan)
        : part === "access/view"
          ? stackDigest(settings, before.id)
          : undefined;
    if (object.kind === "Service") {
      services.set(`${namespace}/${name}`, serviceAfter(object));
    } else {
      const metadata = { ...object.metadata, resourceVersion: "1" };
      const annotations = { ...metadata.annotations, ...(digest && { [unseenAnnotation]: digest }) };
      managedObjects.set(
        key,
        managedObjectOf(object.kind as never, { ...object, metadata: { ...metadata, annotations } as never }),
      );
    }
    if (object.kind === "Namespace") {
      namespaces.set(name, live(labels));
    }
  }
  return { ...before, managedObjects, namespaces, services };
}

/** The twin of a member's, or the one that kubecamp makes for them. */
function serviceAfter({ metadata, spec }: ApiObject) {
  const { labels = {}, annotations = {} } = metadata;
  const { selector, ports, externalName } = Object(spec);
  const declaredPorts = ports as readonly Port[];
  const applied = annotations["kubecamp.dev/applied"];
  return annotations[madeAnnotation] === undefined
    ? liveService({
        labels,
        annotations,
        applied,
        externalName,
        type: "ExternalName",
        ports: declaredPorts.map(({ port }) => port),
      })
    : liveService({
        ...{ labels, annotations, selector: selector ?? {}, ports: declaredPorts.map(({ port }) => port) },
        portNames: Object.fromEntries(declaredPorts.map(({ port, name }) => [`${port}/TCP`, name])),
        targetPorts: Object.fromEntries(declaredPorts.map(({ port, targetPort }) => [`${port}/TCP`, targetPort])),
      });
}

interface Port {
  readonly port: number;
  readonly name: string;
  readonly targetPort: number;
}

/** The same look at another cluster, or by other settings. */
export const replanned = (
  look: PlanAndState,
  change: Partial<ClusterSnapshot>,
  { settings, list }: Pick<PlanAndState, "settings" | "list"> = look,
): PlanAndState => ({
  ...planOf(list, settings, { ...look.snapshot, ...change }),
  state: look.state,
  digest: stackDigest(settings, look.snapshot.id),
  hasProgram: look.hasProgram,
});

/** A look after a full run and no change. */
export function lookAfter(configuration: Configuration, before: ClusterSnapshot): PlanAndState {
  const { settings, members } = configuration;
  const snapshot = clusterAfter(configuration, before);
  return {
    ...planOf(members, settings, snapshot),
    state: known(stateAfter(configuration, before)),
    digest: stackDigest(settings, snapshot.id),
    hasProgram: false,
  };
}

export const known = (state: Exported): KnownState => knownState(state);
