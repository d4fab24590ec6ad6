import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { logicalName } from "../cluster/kinds/liveObject.ts";
import { vetoAnnotation } from "../naming/labels.ts";
import { isOfBucket, isOfStarterApp } from "../naming/logicalNames.ts";
import { additionTo } from "../plan/compare/additions.ts";
import { Drift } from "../plan/compare/drift.ts";
import { isRead, type MemberObjects, memberObjects } from "../plan/manifest/manifest.ts";
import type { MemberFacts, PlannedObject } from "../plan/manifest/row.ts";
import { saidOf } from "../plan/manifest/said.ts";
import type { Declared } from "../plan/objects/declared.ts";
import { MemberStorage } from "./buckets/memberStorage.ts";
import type { ClusterAccess } from "./clusterAccess.ts";
import { type Registry, register, type Said } from "./register.ts";
import type { Storage } from "./storage.ts";

/** What an environment is made from. */
export interface MemberEnvironmentArgs extends MemberFacts {
  /** What the stack has once: policies that guard the member, and ClusterRoles, one of which is their view of others. */
  readonly access: ClusterAccess;
  /** Whether the member's path is open, which takes a Service of theirs to lead to. */
  readonly routed: boolean;
  /** What leads to the server of buckets; undefined where there is none. */
  readonly storage?: Storage | undefined;
  /** What Pulumi asks before it opens a path. Default: nothing. */
  readonly check?: pulumi.ResourceHook | undefined;
  /** What has somebody else give up the path that this member gets, before Pulumi opens it. Default: nothing. */
  readonly handover?: pulumi.ResourceHook | undefined;
  /** Logical names of what is not made, since the namespace is being deleted. Default: everything is. */
  readonly gone?: ReadonlySet<string> | undefined;
  /** What was changed by hand and is to be put back. */
  readonly drift: Drift;
}

/**
 * Everything that one member has on the cluster: a namespace with its guard rails, the keys to it, and a path, as the rows of
 * plan/manifest/memberRows.ts have them. Who is suspended or expired keeps the first two, and a quota that holds their pods at
 * zero.
 *
 * @example
 * new MemberEnvironment("alice", { member, settings, access, routed: true, drift }, { provider });
 */
export class MemberEnvironment extends pulumi.ComponentResource {
  readonly #args: MemberEnvironmentArgs;
  readonly #route: MemberObjects["route"];
  readonly #storage: MemberStorage;
  /** By part, beside what members share. */
  readonly #resources: Map<string, pulumi.Resource>;
  readonly #own: pulumi.Resource[] = [];

  constructor(name: string, args: MemberEnvironmentArgs, opts: pulumi.ComponentResourceOptions) {
    super("kubecamp:index:MemberEnvironment", name, {}, opts);
    this.#args = args;
    const { routed, gone, member, settings, service, starter, starterImage, buckets, rolling, now } = args;
    // The objects of the run's plan, which follow from the same.
    const { base, route } = memberObjects({ member, settings, service, starter, starterImage, buckets, rolling, now });
    this.#route = route;
    this.#resources = new Map(args.access.resources);
    this.#storage = new MemberStorage(args, this);
    const isGone = ({ part }: PlannedObject) => gone?.has(logicalName({ member: name, part })) === true;
    for (const object of base.filter((each) => !isGone(each))) {
      this.#add(object.part, register(object, this.#registry, this.#saidOf(object)));
      if (object.part === "namespace") {
        for (const [part, made] of this.#storage.make(this.home)) this.#add(part, made);
      }
    }
    if (routed) {
      this.openRoute();
    }
    this.registerOutputs({});
  }

  get home(): k8s.core.v1.Namespace {
    return this.#resources.get("namespace") as k8s.core.v1.Namespace;
  }

  /** Holds the member's pods and volumes, if anything does. */
  get quota(): k8s.core.v1.ResourceQuota | undefined {
    return this.#resources.get("quota") as k8s.core.v1.ResourceQuota | undefined;
  }

  /**
   * Opens the member's path, for one whose Service was waited for.
   * @param veto what Pulumi asks before it makes any of it, and that forbids it
   */
  openRoute(veto?: pulumi.ResourceHook): void {
    const { drift, member } = this.#args;
    const objects = member.route === undefined ? [] : this.#route;
    for (const object of objects) {
      // The last one opens the path.
      const hooks =
        veto === undefined ? this.#hooksOf(object === objects.at(-1)) : { beforeCreate: [veto], beforeUpdate: [veto] };
      // What is forbidden is not put back either.
      const declared = veto === undefined ? saidOf(object, drift) : vetoed(saidOf(object, Drift.none));
      this.#add(object.part, register(object, this.#registry, { declared, ...(hooks && { hooks }) }));
    }
  }

  /** Known when Pulumi is done with all that there is of it by now, whether that succeeded or not. */
  get settled(): pulumi.Output<unknown> {
    return pulumi.all(this.#own.map(({ urn }) => pulumi.recover(urn, () => "")));
  }

  get #registry(): Registry {
    const { member, drift } = this.#args;
    return { parent: this, member: member.name, resources: this.#resources, drift };
  }

  /** What Pulumi asks before it makes or changes what opens the path, in this order. */
  #hooksOf(opensPath: boolean): pulumi.ResourceHookBinding | undefined {
    const { check, handover } = this.#args;
    const beforeUpdate = handover === undefined ? [] : [handover];
    const beforeCreate = check === undefined ? beforeUpdate : [check, ...beforeUpdate];
    return opensPath && beforeCreate.length > 0 ? { beforeCreate, ...(handover && { beforeUpdate }) } : undefined;
  }

  #add(part: string, resource: pulumi.Resource): void {
    this.#resources.set(part, resource);
    this.#own.push(resource);
  }

  #saidOf(object: PlannedObject): Said {
    const { drift } = this.#args;
    if (isOfBucket(object)) {
      return this.#storage.saidOf(object, drift);
    }
    // In a preview nothing is taken off, and the API server might not even try to have both.
    return pulumi.runtime.isDryRun() &&
      isRead(object) &&
      isOfStarterApp(object) &&
      object.marked === "whole" &&
      additionTo(drift.of(object)) !== undefined
      ? { declared: drift.reported(object) }
      : {};
  }
}

/** An object that was deleted by hand, Pulumi's state still has: without a difference it would pass, and nobody be asked. */
function vetoed({ metadata, ...declared }: Declared): Declared {
  return { ...declared, metadata: { ...metadata, annotations: { ...metadata.annotations, [vetoAnnotation]: "true" } } };
}
