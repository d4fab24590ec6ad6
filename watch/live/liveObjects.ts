import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject, V1EndpointSlice, V1ResourceQuota, V1Service } from "@kubernetes/client-node";
import { refusalOf } from "../../cluster/kinds/gatewayStatus.ts";
import type { Kind } from "../../cluster/kinds/kinds.ts";
import { type ObjectName, objectKey } from "../../cluster/kinds/objectName.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { isWrittenByMembers, stackKind } from "../../cluster/kinds/stackKinds.ts";
import { takenPaths } from "../../cluster/read/hostPaths.ts";
import { liveObject, managedObjectOf } from "../../cluster/read/managedObjects.ts";
import { liveServices } from "../../cluster/read/services.ts";
import type { ClusterSnapshot, LiveObject, LiveService, ManagedObject } from "../../cluster/read/snapshot.ts";
import { stackLabel, verifyLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Configuration, Settings } from "../../config/settings.ts";
import type { WatchedKind } from "./watchedKinds.ts";

/** A run's snapshot, limited to the members' namespaces and the stack's own objects. */
export interface LiveSnapshot
  extends Pick<ClusterSnapshot, "namespaces" | "services" | "taken" | "mutates" | "unread"> {
  /**
   * By `objectKey`: the stack's own objects, among them Services; all objects that may hold a member's address; and all that
   * have a name of a starter app or of a bucket's objects. Status only for kinds that need it, such as quotas.
   */
  readonly managedObjects: ReadonlyMap<string, ManagedObject>;
}

/** Stores objects as they arrive and returns for each whether it changed in a way that may matter. */
export class LiveObjects {
  readonly #settings: Settings;
  readonly #namespacesThatMatter: ReadonlySet<string>;
  readonly #namespaces = new Map<string, LiveObject>();
  readonly #services = new Map<string, LiveService>();
  readonly #managedObjects = new Map<string, ManagedObject>();
  /** As the API server has them, by namespace: a Service's endpoints change without the Service. */
  readonly #whole = new Map<string, { services: Map<string, V1Service>; slices: Map<string, V1EndpointSlice> }>();
  #snapshot: LiveSnapshot | undefined;
  #mutates: boolean | undefined;
  /** Kinds that may not be read, by the list that was refused, with the API server's words. */
  readonly #leftOut = new Map<string, readonly [Kind, string]>();

  constructor({ settings, members }: Configuration) {
    this.#settings = settings;
    this.#namespacesThatMatter = new Set([
      ...serversOf(settings).map(({ route }) => route.namespace),
      ...members.map(namespaceName),
    ]);
  }

  /** Whether an object in a namespace may matter, by the informer's key. */
  mayMatter(key: string): boolean {
    return this.#namespacesThatMatter.has(parts(key).namespace);
  }

  get services(): ReadonlyMap<string, LiveService> {
    return this.#services;
  }

  /** All objects as they are now; rebuilt only after a change. */
  snapshot(): LiveSnapshot {
    this.#snapshot ??= {
      namespaces: new Map(this.#namespaces),
      services: new Map(this.#services),
      managedObjects: new Map(this.#managedObjects),
      taken: takenPaths(this.#managedObjects, this.#settings),
      ...(this.#mutates === undefined ? {} : { mutates: this.#mutates }),
      ...(this.#leftOut.size === 0
        ? {}
        : { unread: { offline: false, isLeftOut: true, kinds: new Map(this.#leftOut.values()) } }),
    };
    return this.#snapshot;
  }

  leaveOut(what: string, kind: Kind, reason: string): void {
    this.#leftOut.set(what, [kind, reason]);
    this.#snapshot = undefined;
  }

  takeIn(what: string): void {
    this.#leftOut.delete(what);
    this.#snapshot = undefined;
  }

  /** @param mutates whether the API server has MutatingAdmissionPolicies */
  learn({ mutates }: { readonly mutates: boolean }): void {
    this.#mutates = mutates;
    this.#snapshot = undefined;
  }

  putNamespace(name: string, namespace: KubernetesObject | undefined): boolean {
    const { labels, deletionTimestamp } = namespace?.metadata ?? {};
    const isLeavers =
      deletionTimestamp !== undefined &&
      labels?.[stackLabel] === this.#settings.stack &&
      labels[verifyLabel] === undefined;
    if (!this.#namespacesThatMatter.has(name) && !isLeavers && !this.#namespaces.has(name)) {
      return false;
    }
    const uid = namespace?.metadata?.uid;
    const live =
      namespace === undefined ? undefined : { ...liveObject(namespace), ...(uid === undefined ? {} : { uid }) };
    const changed = this.#put(this.#namespaces, name, live);
    return this.#putManagedObject(objectKey("Namespace", name), "Namespace", namespace) || changed;
  }

  putService(key: string, service: V1Service | undefined): boolean {
    if (!this.mayMatter(key)) {
      return false;
    }
    const { namespace, name } = parts(key);
    store(this.#wholeIn(namespace).services, key, service);
    const changed = this.#judgeService(key);
    const isOwn = service?.metadata?.labels?.[stackLabel] === this.#settings.stack;
    return (
      this.#putManagedObject(objectKey("Service", name, namespace), "Service", isOwn ? service : undefined) || changed
    );
  }

  putSlice(key: string, slice: V1EndpointSlice | undefined): boolean {
    if (!this.mayMatter(key)) {
      return false;
    }
    const { services, slices } = this.#wholeIn(parts(key).namespace);
    store(slices, key, slice);
    return [...services.keys()].filter((service) => this.#judgeService(service)).length > 0;
  }

  /** @param key the informer's: `namespace/name` or `name` */
  putOwn(kind: WatchedKind["kind"], key: string, object: KubernetesObject | undefined): boolean {
    const { namespace, name } = parts(key);
    // These are selected by name, whoever created them.
    if (isWrittenByMembers({ kind }) && !this.#namespacesThatMatter.has(namespace)) {
      return false;
    }
    return this.#putManagedObject(
      namespace === "" ? objectKey(kind, name) : objectKey(kind, name, namespace),
      kind,
      object,
    );
  }

  #judgeService(key: string): boolean {
    const { services, slices } = this.#wholeIn(parts(key).namespace);
    const service = services.get(key);
    const live = service === undefined ? undefined : liveServices([service], [...slices.values()]).get(key);
    return this.#put(this.#services, key, live);
  }

  #wholeIn(namespace: string) {
    const whole = this.#whole.get(namespace) ?? { services: new Map(), slices: new Map() };
    this.#whole.set(namespace, whole);
    return whole;
  }

  #putManagedObject(key: string, kind: ObjectName["kind"], object: KubernetesObject | undefined): boolean {
    const { status, ...rest } = { status: undefined, ...object };
    const seen = stackKind(kind).hasStatus ? { ...rest, status } : rest;
    return this.#put(this.#managedObjects, key, object === undefined ? undefined : managedObjectOf(kind, seen));
  }

  /** @returns whether more changed than the resourceVersion or a quota's usage */
  #put<T extends object>(live: Map<string, T>, key: string, now: T | undefined): boolean {
    const before = live.get(key);
    store(live, key, now);
    this.#snapshot = undefined;
    return !isDeepStrictEqual(whatMatters(before), whatMatters(now));
  }
}

function store<T>(objects: Map<string, T>, key: string, object: T | undefined): void {
  if (object === undefined) {
    objects.delete(key);
  } else {
    objects.set(key, object);
  }
}

function whatMatters(live: Partial<Pick<ManagedObject, "content" | "terminating">> | undefined): unknown {
  if (live === undefined) {
    return undefined;
  }
  const { content, terminating } = live;
  // The status of a namespace that is being deleted says what keeps it; of a route, only whether it is refused matters.
  const status = content && (terminating ? content.status : [...fullIn(content), refusalOf(content)]);
  return { ...live, resourceVersion: undefined, content: content && { ...content, status } };
}

/** Object counts of a quota that are used up. Other usage changes with each pod and doesn't matter. */
function fullIn({ status }: ManagedObject["content"]): readonly string[] {
  const { hard = {}, used = {} } = (status ?? {}) as NonNullable<V1ResourceQuota["status"]>;
  return Object.keys(hard).filter(
    (resource) =>
      resource.startsWith("count/") &&
      (quantityValue(used[resource] ?? "") ?? 0) >= (quantityValue(hard[resource] ?? "") ?? Number.POSITIVE_INFINITY),
  );
}

/** Namespace and name of an informer's key; an empty namespace for cluster-scoped objects. */
function parts(key: string): { namespace: string; name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) };
}
