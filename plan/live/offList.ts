import type { V1Container } from "@kubernetes/client-node";
import {
  type ImageSpec,
  type WorkloadKind,
  type WorkloadLists,
  type WorkloadObject,
  workloadKinds,
} from "../../cluster/read/workloads.ts";
import { imageFilter } from "../../config/images.ts";
import { imageRulesAnnotation, imagesAnnotation, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { compare } from "../../config/values/sentences.ts";

interface ImageUse {
  readonly of: string;
  readonly image: string;
}

export interface OffList {
  readonly stack: string;
  readonly member: string;
  readonly namespace: string;
  readonly kind: WorkloadKind;
  readonly name: string;
  readonly uid: string;
  /** Number of its unfinished pods with such an image. */
  readonly pods: number;
  /** Its own, and those of the objects that it made. */
  readonly uses: readonly ImageUse[];
  readonly allowed: readonly string[];
}

interface Workload {
  readonly kind: WorkloadKind;
  readonly object: WorkloadObject;
  readonly uses: readonly ImageUse[];
}

/** Of each chain of owners, the first with one. Without finished pods and Jobs, and ReplicaSets kept for a rollback. */
export function offListOf(
  { namespaces, workloads }: WorkloadLists,
  isTheirs: (stack: string | undefined) => boolean,
): OffList[] {
  const byNamespace = Map.groupBy(
    workloadKinds.flatMap((kind) => workloads[kind].map((object) => ({ kind, object }))),
    ({ object }) => object.metadata?.namespace ?? "",
  );
  return namespaces
    .filter(({ metadata }) => isTheirs(metadata?.labels?.[stackLabel]))
    .flatMap(({ metadata }) => {
      const { name: namespace = "", labels = {}, annotations = {} } = metadata ?? {};
      const rules = annotations[imageRulesAnnotation];
      if (rules === undefined) {
        return [];
      }
      const isAllowed = imageFilter(rules);
      const all = (byNamespace.get(namespace) ?? [])
        .filter(({ kind, object }) => !isPast(kind, object))
        .map(({ kind, object }): Workload => {
          const uses = usesOf(podSpecOf(kind, object)).filter(({ image }) => image !== "" && !isAllowed(image));
          return { kind, object, uses };
        });
      const allowed = (annotations[imagesAnnotation] ?? "").split("\n").filter((line) => line !== "");
      const whose = { stack: labels[stackLabel] ?? "", member: labels[memberLabel] ?? namespace, namespace, allowed };
      return chains(all).map((chain) => ({ ...whose, ...summary(chain) }));
    })
    .sort((a, b) => compare(a.member, b.member) || compare(a.kind, b.kind) || compare(a.name, b.name));
}

function chains(all: readonly Workload[]): (readonly [Workload, ...Workload[]])[] {
  const byUid = new Map(all.map((workload) => [workload.object.metadata?.uid ?? "", workload]));
  const off = all.filter(({ uses }) => uses.length > 0);
  const chains = Map.groupBy(off, (workload) => firstOf(workload, byUid));
  return [...chains].map(([first, chain]) => [first, ...chain.filter((each) => each !== first)]);
}

/** The first owner that is off the list itself. Members write owner references too, even circular ones. */
function firstOf(workload: Workload, byUid: ReadonlyMap<string, Workload>): Workload {
  const owners = new Set<Workload>();
  let at: Workload | undefined = workload;
  while (at !== undefined && !owners.has(at)) {
    owners.add(at);
    at = byUid.get(ownerUid(at.object) ?? "");
  }
  return [...owners].findLast(({ uses }) => uses.length > 0) ?? workload;
}

const ownerUid = ({ metadata }: WorkloadObject) =>
  metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid;

function summary(chain: readonly [Workload, ...Workload[]]) {
  const [{ kind, object }] = chain;
  const uses = new Map(chain.flatMap((each) => each.uses.map((use) => [`${use.of} ${use.image}`, use])));
  return {
    kind,
    name: object.metadata?.name ?? "",
    uid: object.metadata?.uid ?? "",
    pods: chain.filter((each) => each.kind === "Pod").length,
    uses: [...uses.values()],
  };
}

function isPast(kind: WorkloadKind, { metadata, spec, status }: WorkloadObject): boolean {
  const isEnded = status?.conditions?.some(
    ({ type, status }) => ["Complete", "Failed"].includes(type) && status === "True",
  );
  return (
    metadata?.deletionTimestamp !== undefined ||
    (kind === "Pod" && ["Succeeded", "Failed"].includes(status?.phase ?? "")) ||
    (kind === "Job" && isEnded === true) ||
    (kind === "ReplicaSet" && spec?.replicas === 0 && metadata?.ownerReferences !== undefined)
  );
}

function podSpecOf(kind: WorkloadKind, { spec, template }: WorkloadObject): ImageSpec | undefined {
  switch (kind) {
    case "Pod":
      return spec;
    case "PodTemplate":
      return template?.spec;
    case "CronJob":
      return spec?.jobTemplate?.spec?.template?.spec;
    default:
      return spec?.template?.spec;
  }
}

function usesOf(spec: ImageSpec = {}): ImageUse[] {
  const containers = (what: string, list: readonly Pick<V1Container, "name" | "image">[] = []) =>
    list.map(({ name, image = "" }) => ({ of: `${what} '${name}'`, image }));
  return [
    ...containers("container", spec.containers),
    ...containers("initContainer", spec.initContainers),
    ...containers("ephemeralContainer", spec.ephemeralContainers),
    ...(spec.volumes ?? []).map(({ name, image }) => ({ of: `volume '${name}'`, image: image?.reference ?? "" })),
  ];
}
