import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { logicalName } from "../cluster/kinds/liveObject.ts";
import { vetoAnnotation } from "../config/names/labels.ts";
import { isOfBucket, isOfStarterApp } from "../config/names/logicalNames.ts";
import { environmentType } from "../config/names/urns.ts";
import type { Declared } from "../objects/declared.ts";
import { Drift } from "../plan/live/drift.ts";
import { additionTo } from "../plan/members/additions.ts";
import type { MemberPlan } from "../plan/members/memberPlan.ts";
import { isRead } from "../plan/rows/manifest.ts";
import type { PlannedObject } from "../plan/rows/row.ts";
import { MemberStorage } from "./buckets/memberStorage.ts";
import type { ClusterAccess } from "./clusterAccess.ts";
import { type RegisterOptions, type Registry, register } from "./register.ts";
import type { Storage } from "./storage.ts";

export interface MemberEnvironmentArgs {
  /** The member's objects, and whether the path is open, which takes a Service to lead to. */
  readonly plan: Pick<MemberPlan, "member" | "settings" | "base" | "route" | "isOpen">;
  /** Policies that guard the member, and ClusterRoles, one of which is their role elsewhere. */
  readonly access: ClusterAccess;
  readonly storage?: Storage | undefined;
  /** Hook that Pulumi calls before it opens a path. Default: none. */
  readonly check?: pulumi.ResourceHook | undefined;
  /** Hook that has another member give up this member's path before Pulumi opens it. Default: none. */
  readonly pathHook?: pulumi.ResourceHook | undefined;
  /** Logical names of objects not to make, since their namespace is being deleted. Default: none. */
  readonly gone?: ReadonlySet<string> | undefined;
  readonly drift: Drift;
}

/**
 * All objects of one member: a namespace with its guard rails, access to it, and a route, from the rows of
 * plan/rows/memberRows.ts. A suspended or expired member keeps the namespace with its guard rails, and gets a quota
 * of zero pods.
 *
 * @example
 * new MemberEnvironment("alice", { plan, access, drift }, { provider });
 */
export class MemberEnvironment extends pulumi.ComponentResource {
  readonly #args: MemberEnvironmentArgs;
  readonly #storage: MemberStorage;
  readonly #resources: Map<string, pulumi.Resource>;
  readonly #own: pulumi.Resource[] = [];

  constructor(name: string, args: MemberEnvironmentArgs, opts: pulumi.ComponentResourceOptions) {
    super(environmentType, name, {}, opts);
    this.#args = args;
    const { plan, access, storage, gone } = args;
    this.#resources = new Map(access.resources);
    this.#storage = new MemberStorage({ ...plan, storage }, this);
    const isGone = ({ part }: PlannedObject) => gone?.has(logicalName({ member: name, part })) === true;
    for (const object of plan.base.filter((each) => !isGone(each))) {
      this.#add(object.part, register(object, this.#registry, this.#optionsOf(object)));
      if (object.part === "namespace") {
        for (const [part, made] of this.#storage.make(this.home)) {
          this.#add(part, made);
        }
      }
    }
    if (plan.isOpen) {
      this.openRoute();
    }
    this.registerOutputs({});
  }

  get home(): k8s.core.v1.Namespace {
    return this.#resources.get("namespace") as k8s.core.v1.Namespace;
  }

  /** Limits the member's pods and volumes; undefined for a type without a quota. */
  get quota(): k8s.core.v1.ResourceQuota | undefined {
    return this.#resources.get("quota") as k8s.core.v1.ResourceQuota | undefined;
  }

  /** For a Service that was waited for. @param veto hook that fails, so that Pulumi makes no object of the route */
  openRoute(veto?: pulumi.ResourceHook): void {
    const { drift, plan } = this.#args;
    const objects = plan.member.route === undefined ? [] : plan.route;
    for (const object of objects) {
      const hooks =
        veto === undefined ? this.#hooksOf(object === objects.at(-1)) : { beforeCreate: [veto], beforeUpdate: [veto] };
      // A forbidden route is not reset after a change by hand either.
      const declared = veto === undefined ? drift.declared(object) : vetoed(Drift.none.declared(object));
      this.#add(object.part, register(object, this.#registry, { declared, ...(hooks && { hooks }) }));
    }
  }

  /** Resolves when Pulumi is done with every object registered so far, failed ones included. */
  get settled(): pulumi.Output<unknown> {
    return pulumi.all(this.#own.map(({ urn }) => pulumi.recover(urn, () => "")));
  }

  /** URNs of all objects registered so far; each rejects if its object could not be made. */
  get made(): pulumi.Output<pulumi.URN>[] {
    return this.#own.map(({ urn }) => urn);
  }

  get #registry(): Registry {
    const { plan, drift } = this.#args;
    return { parent: this, member: plan.member.name, resources: this.#resources, drift };
  }

  /** Hooks that Pulumi calls, in this order, before it makes or changes the object that opens the path. */
  #hooksOf(opensPath: boolean): pulumi.ResourceHookBinding | undefined {
    const { check, pathHook } = this.#args;
    const beforeUpdate = pathHook === undefined ? [] : [pathHook];
    const beforeCreate = check === undefined ? beforeUpdate : [check, ...beforeUpdate];
    return opensPath && beforeCreate.length > 0 ? { beforeCreate, ...(pathHook && { beforeUpdate }) } : undefined;
  }

  #add(part: string, resource: pulumi.Resource): void {
    this.#resources.set(part, resource);
    this.#own.push(resource);
  }

  #optionsOf(object: PlannedObject): RegisterOptions {
    const { drift } = this.#args;
    if (isOfBucket(object)) {
      return this.#storage.optionsOf(object, drift);
    }
    // A preview takes nothing off, and the API server's dry run might refuse the added and the declared field together.
    return pulumi.runtime.isDryRun() &&
      isRead(object) &&
      isOfStarterApp(object) &&
      object.marked === "whole" &&
      additionTo(drift.of(object)) !== undefined
      ? { declared: drift.reported(object) }
      : {};
  }
}

/** Pulumi's state still has an object that was deleted by hand: without a difference Pulumi would not call the hook. */
function vetoed({ metadata, ...declared }: Declared): Declared {
  return { ...declared, metadata: { ...metadata, annotations: { ...metadata.annotations, [vetoAnnotation]: "true" } } };
}
