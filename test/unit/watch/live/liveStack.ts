import type { KubernetesObject, V1ObjectMeta, V1Service } from "@kubernetes/client-node";
import { keyOf, objectNameOf } from "../../../../cluster/kinds/objectName.ts";
import type { ManagedKind } from "../../../../cluster/read/snapshot.ts";
import type { Member } from "../../../../config/member/member.ts";
import { memberLabels } from "../../../../config/names/labels.ts";
import { namespaceName, routedPort, serviceName } from "../../../../config/names/names.ts";
import type { Configuration, Settings } from "../../../../config/settings.ts";
import { starterKinds } from "../../../../objects/starter/names.ts";
import { type Compared, Drift } from "../../../../plan/live/drift.ts";
import { isRead, memberObjects, sharedObjects } from "../../../../plan/rows/manifest.ts";
import type { PlannedObject } from "../../../../plan/rows/row.ts";
import { LiveObjects, type LiveSnapshot } from "../../../../watch/live/liveObjects.ts";
import type { WatchedKind } from "../../../../watch/live/watchedKinds.ts";
import { compared } from "../../plan/planned.ts";

/** An object as the API server has it after an up. */
export type Live = KubernetesObject & { spec?: unknown; status?: unknown };

/** Fields that the API server and its controllers add to declared objects, by kind. */
const defaults: Readonly<Record<string, (declared: Live) => object>> = {
  Namespace: () => ({ spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } }),
  ResourceQuota: () => ({ status: { used: { pods: "3" } } }),
  Ingress: () => ({ status: { loadBalancer: { ingress: [{ ip: "10.1.1.1" }] } } }),
  Service: ({ spec }) => ({
    spec: { sessionAffinity: "None", ...Object(spec) },
    status: { loadBalancer: {} },
  }),
  HTTPRoute: () => ({ status: { parents: [] } }),
};

/** The object that an up makes of what is declared: what a run marks for drift bears the mark. */
export function liveOf({ kind, args: all, marked: part }: Omit<Compared, "name" | "namespace">): Live {
  // Only the metadata of buckets' objects is watched.
  const args = part === "metadata" ? { metadata: all.metadata } : all;
  const marked =
    kind === "Service" ? args : new Drift({ managedObjects: new Map() }).marked(compared(kind as ManagedKind, args));
  const metadata = { ...marked.metadata, uid: "u", resourceVersion: "1", creationTimestamp: new Date(0) };
  const live = structuredClone({ apiVersion: "v1", kind, ...marked, metadata }) as Live;
  const filled = { ...live, ...defaults[kind]?.(live) };
  return kind === "Namespace"
    ? {
        ...filled,
        metadata: { ...filled.metadata, labels: { ...metadata.labels, "kubernetes.io/metadata.name": "x" } },
      }
    : filled;
}

/** Fields that a run adds to the Service of a starter app. */
const ofRun = (member: Member, { settings }: Configuration) => ({
  labels: memberLabels(member, settings),
  annotations: { "kubecamp.dev/made": "2026-06-01T08:00:00.000Z", "kubecamp.dev/target-port": "8080" },
});

/** All objects of a member after a run, except the Service that their path leads to. */
export function objectsOf(member: Member, settings: Settings) {
  const { mode = "kept" } = member.starter ?? {};
  const [made, marks] = member.starter === undefined ? [[], false] : [starterKinds, true];
  const starter = { mode, made, left: [], service: "none", wasMade: false, marks } as const;
  const starterImage = marks && mode === "once" ? settings.starter.image : undefined;
  return memberObjects({ member, settings, starter, starterImage });
}

/** A Service as members make it, or as a run does for who has a starter app. */
export const fitService = (member: Member, { settings, members }: Configuration): V1Service => ({
  metadata: {
    ...{ name: serviceName(member), namespace: namespaceName(member), resourceVersion: "1" },
    ...(member.starter === undefined ? {} : ofRun(member, { settings, members })),
  },
  spec: {
    type: "ClusterIP",
    clusterIP: "10.0.0.7",
    selector: { app: "web" },
    ports: [{ port: routedPort(settings.route), protocol: "TCP", targetPort: 8080 }],
  },
});

/** A cluster whose every object a test can change before it is looked at. */
export class LiveStack {
  /** By `objectKey`; what is not there has been deleted. */
  readonly objects = new Map<string, Live>();
  readonly configuration: Configuration;

  /** As an up leaves it, with everybody's Service there. */
  constructor(configuration: Configuration) {
    this.configuration = configuration;
    const { settings, members } = configuration;
    // The right to watch Secrets is the right to read them.
    this.#add(sharedObjects(settings).filter(({ kind }) => kind !== "Secret"));
    for (const member of members) {
      const { base, route } = objectsOf(member, settings);
      this.#add(base);
      if (member.standing === "active" && member.route !== undefined) {
        this.#add(route);
      }
      if (member.route !== undefined) {
        this.objects.set(`Service ${member.name}/${serviceName(member)}`, fitService(member, configuration));
      }
    }
  }

  #add(objects: readonly PlannedObject[]): void {
    for (const object of objects.filter(isRead)) {
      this.objects.set(keyOf(object), liveOf(object));
    }
  }

  /** Another one, of which each object can be changed without this one's. */
  copy(): LiveStack {
    const copy: LiveStack = Object.create(LiveStack.prototype);
    return Object.assign(copy, { configuration: this.configuration, objects: new Map(this.objects) });
  }

  /** @throws when there is no such object */
  change(key: string, change: (live: Live) => object): void {
    const live = this.objects.get(key);
    if (live === undefined) {
      throw new Error(`no ${key} among ${[...this.objects.keys()].join(", ")}`);
    }
    this.objects.set(key, { ...live, ...change(structuredClone(live)) });
  }

  /** Adds to an object's metadata. @throws when there is no such object */
  mark(key: string, { labels = {}, annotations = {}, ...rest }: V1ObjectMeta): void {
    this.change(key, ({ metadata: { labels: own, annotations: theirs, ...before } = {} }) => ({
      metadata: { ...before, labels: { ...own, ...labels }, annotations: { ...theirs, ...annotations }, ...rest },
    }));
  }

  /** @throws when there is no such object */
  delete(...keys: readonly string[]): void {
    for (const key of keys) {
      if (!this.objects.delete(key)) {
        throw new Error(`no ${key}`);
      }
    }
  }

  snapshot(): LiveSnapshot {
    const live = new LiveObjects(this.configuration);
    for (const [key, object] of this.objects) {
      put(live, key, object);
    }
    return live.snapshot();
  }
}

/** As the informer of its kind would, which sees by their label those of the stack alone, or all of some names. */
export function put(live: LiveObjects, key: string, object: Live | undefined): boolean {
  const { kind, name, namespace } = objectNameOf(key);
  if (kind === "Namespace") {
    return live.putNamespace(name, object);
  }
  if (kind === "Service") {
    return live.putService(`${namespace}/${name}`, object as V1Service | undefined);
  }
  const anybodys = ["Secret", "ConfigMap", "Ingress", "HTTPRoute"];
  const isSeen =
    anybodys.includes(kind) ||
    (kind === "Deployment" && name === "starter") ||
    object?.metadata?.labels?.["kubecamp.dev/stack"] === "dev";
  const seen = isSeen ? object : undefined;
  return live.putOwn(kind as WatchedKind["kind"], namespace === undefined ? name : `${namespace}/${name}`, seen);
}
