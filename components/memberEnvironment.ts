import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { hasQuota } from "../config/model/memberTypes.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import { logicalNames } from "../naming/logicalNames.ts";
import type { Drift } from "../plan/compare/drift.ts";
import type { BucketsPlan } from "../plan/decisions/buckets/plan.ts";
import type { ManagedService } from "../plan/decisions/managedService.ts";
import { withImage } from "../plan/decisions/starter/image.ts";
import type { StarterPlan } from "../plan/decisions/starter/plan.ts";
import { clusterRoleBinding } from "../plan/objects/clusterRoleBinding.ts";
import { limitRange } from "../plan/objects/limitRange.ts";
import { namespace } from "../plan/objects/namespace.ts";
import { networkPolicy } from "../plan/objects/networkPolicy.ts";
import { resourceQuota } from "../plan/objects/resourceQuota.ts";
import { role } from "../plan/objects/role.ts";
import { roleBinding } from "../plan/objects/roleBinding.ts";
import { routeObjects } from "../plan/objects/route/routeObjects.ts";
import { serviceAccount } from "../plan/objects/serviceAccount.ts";
import type { ClusterAccess } from "./clusterAccess.ts";
import { memberBuckets } from "./memberBuckets.ts";
import { memberRoute } from "./memberRoute.ts";
import { memberService } from "./memberService.ts";
import { memberStarter } from "./memberStarter.ts";
import type { Storage } from "./storage.ts";

/** What an environment is made from. */
export interface MemberEnvironmentArgs {
  readonly member: Member;
  readonly settings: Settings;
  /** What the stack has once: policies that guard the member, and ClusterRoles, one of which is their view of others. */
  readonly access: ClusterAccess;
  /** Whether the member's path is open, which takes a Service of theirs to lead to. */
  readonly routed: boolean;
  /** The Service that the path leads to; undefined where the member makes it. */
  readonly service?: ManagedService | undefined;
  /** What the run does about the member's starter app; undefined for who is to have none. */
  readonly starter?: StarterPlan | undefined;
  /** What their starter app was made once with, and keeps; undefined where there is none. */
  readonly starterImage?: string | undefined;
  /** What leads to the server of buckets; undefined where there is none. */
  readonly storage?: Storage | undefined;
  /** What the run does about what buckets come with. Default: it makes all of it. */
  readonly buckets?: BucketsPlan | undefined;
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
 * Everything that one member has on the cluster: a namespace with its guard rails, the keys to it, and a path. Who is
 * suspended or expired keeps the first two, and a quota that holds their pods at zero.
 *
 * @example
 * new MemberEnvironment("alice", { member, settings, access, routed: true, drift }, { provider });
 */
export class MemberEnvironment extends pulumi.ComponentResource {
  /** Holds the member's pods and volumes, if anything does. */
  readonly quota: k8s.core.v1.ResourceQuota | undefined;
  readonly #args: MemberEnvironmentArgs;
  /** What a route is made after. */
  readonly #beforeRoute: readonly pulumi.Resource[];
  readonly #resources: pulumi.Resource[] = [];

  constructor(name: string, args: MemberEnvironmentArgs, opts: pulumi.ComponentResourceOptions) {
    super("kubecamp:index:MemberEnvironment", name, {}, opts);
    const { member, access, service } = args;
    this.#args = args;
    const home = this.#home(name, args);
    this.quota = this.#quota(name, home, args);
    const quota = this.quota === undefined ? [] : [this.quota];
    const guards = [...this.#guards(name, home, args), ...quota];
    const services =
      service === undefined
        ? []
        : this.#made(logicalNames.service(member), () =>
            memberService(member, service, { parent: this, home, dependsOn: quota }),
          );
    const starter = this.#starter(home, [...access.guards, ...guards], args);
    const rights = this.#rights(name, home, starter.length === 0 ? [] : [...starter, ...services], args);
    const keys = member.standing === "active" ? this.#keys(name, home, { guards, rights }, args) : [];
    const buckets = memberBuckets(args, { parent: this, home });
    this.#beforeRoute = [home, ...services, ...access.beforeRoutes];
    this.#resources.push(home, ...guards, ...starter, ...rights, ...keys, ...services, ...buckets);
    if (args.routed) {
      this.openRoute();
    }
    this.registerOutputs({});
  }

  /**
   * Opens the member's path, for one whose Service was waited for.
   * @param veto what Pulumi asks before it makes any of it, and that forbids it
   */
  openRoute(veto?: pulumi.ResourceHook): void {
    const { member, settings, drift, check, handover } = this.#args;
    if (member.route !== undefined) {
      const objects = routeObjects(member, member.route, settings);
      const options = { drift, parent: this, dependsOn: this.#beforeRoute, veto, check, handover };
      this.#resources.push(...memberRoute(member.name, objects, options));
    }
  }

  /** Known when Pulumi is done with all that there is of it by now, whether that succeeded or not. */
  get settled(): pulumi.Output<unknown> {
    return pulumi.all(this.#resources.map(({ urn }) => pulumi.recover(urn, () => "")));
  }

  #made<T>(logicalName: string, make: () => T): T[] {
    return this.#args.gone?.has(logicalName) === true ? [] : [make()];
  }

  #home(name: string, { member, settings, drift, starterImage }: MemberEnvironmentArgs): k8s.core.v1.Namespace {
    const args = drift.marked("Namespace", namespace(withImage(member, starterImage), settings));
    return new k8s.core.v1.Namespace(logicalNames.namespace({ name }), args, { parent: this, protect: member.protect });
  }

  /** They go with the namespace, never before it: isolation must not end while pods still run. */
  #guards(
    name: string,
    home: k8s.core.v1.Namespace,
    { member, settings, drift }: MemberEnvironmentArgs,
  ): pulumi.Resource[] {
    const child = { parent: this, deletedWith: home };
    const limits = drift.marked("LimitRange", limitRange(member, settings));
    const isolation = drift.marked("NetworkPolicy", networkPolicy(member, settings));
    const account = drift.marked("ServiceAccount", serviceAccount(member, settings));
    const [limitsName, isolationName, accountName] = [`${name}/limits`, `${name}/isolation`, `${name}/service-account`];
    return [
      ...this.#made(limitsName, () => new k8s.core.v1.LimitRange(limitsName, inside(home, limits), child)),
      ...this.#made(
        isolationName,
        () => new k8s.networking.v1.NetworkPolicy(isolationName, inside(home, isolation), child),
      ),
      ...this.#made(accountName, () => new k8s.core.v1.ServiceAccount(accountName, inside(home, account), child)),
    ];
  }

  #quota(
    name: string,
    home: k8s.core.v1.Namespace,
    { member, settings, drift }: MemberEnvironmentArgs,
  ): k8s.core.v1.ResourceQuota | undefined {
    if (!hasQuota(member)) {
      return undefined;
    }
    const quota = drift.marked("ResourceQuota", resourceQuota(member, settings));
    const child = { parent: this, deletedWith: home };
    const [made] = this.#made(
      `${name}/quota`,
      () => new k8s.core.v1.ResourceQuota(`${name}/quota`, inside(home, quota), child),
    );
    return made;
  }

  #starter(
    home: k8s.core.v1.Namespace,
    guards: readonly pulumi.Resource[],
    { member, starter: plan, settings, drift, gone }: MemberEnvironmentArgs,
  ): pulumi.Resource[] {
    const place = { parent: this, home, dependsOn: guards };
    return plan === undefined ? [] : memberStarter({ member, plan, settings, drift, gone }, place);
  }

  /**
   * Nobody's until somebody is bound to them, so that they stay while the member is suspended. They say whether there has
   * been a starter app, and so come after all of it: before that, nobody else could have touched it.
   */
  #rights(
    name: string,
    home: k8s.core.v1.Namespace,
    dependsOn: readonly pulumi.Resource[],
    { member, settings, drift, starter, starterImage }: MemberEnvironmentArgs,
  ): pulumi.Resource[] {
    const rights = drift.marked("Role", role(member, settings, starter?.marks, starterImage));
    const child = { parent: this, deletedWith: home, dependsOn: [...dependsOn] };
    const logicalName = `${name}/role/${member.type.home}`;
    return this.#made(logicalName, () => new k8s.rbac.v1.Role(logicalName, inside(home, rights), child));
  }

  /**
   * Made after the guard rails, and deleted before everything else. So the binding at home is no `deletedWith` child:
   * whoever leaves loses access at once, not whenever the namespace has finished deleting.
   */
  #keys(
    name: string,
    home: k8s.core.v1.Namespace,
    { guards, rights }: { guards: readonly pulumi.Resource[]; rights: readonly pulumi.Resource[] },
    { member, settings, access, drift }: MemberEnvironmentArgs,
  ): pulumi.Resource[] {
    const { home: homeRole, others } = member.type;
    const key = drift.marked("RoleBinding", roleBinding(member, settings));
    const homeName = `${name}/binding/${homeRole}`;
    const dependsOn = [...access.guards, ...guards, ...rights];
    const atHome = this.#made(
      homeName,
      () => new k8s.rbac.v1.RoleBinding(homeName, inside(home, key), { parent: this, dependsOn }),
    );
    if (others === "none") {
      return atHome;
    }
    const view = drift.marked("ClusterRoleBinding", clusterRoleBinding(member, others, settings));
    const viewName = `${name}/others/${others}`;
    const elsewhere = this.#made(
      viewName,
      () =>
        new k8s.rbac.v1.ClusterRoleBinding(viewName, view, {
          parent: this,
          dependsOn: [...access.guards, ...guards, access.view(others)],
        }),
    );
    return [...atHome, ...elsewhere];
  }
}

/** Takes the namespace's name as its output, so that whatever becomes of the namespace becomes of its children. */
function inside<T extends { readonly metadata: object }>(home: k8s.core.v1.Namespace, args: T) {
  return { ...args, metadata: { ...args.metadata, namespace: home.metadata.name } };
}
