import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Member, Settings } from "../config/settings.ts";
import type { ClusterAccess } from "./clusterAccess.ts";
import { clusterRoleBinding } from "./objects/clusterRoleBinding.ts";
import { externalService } from "./objects/externalService.ts";
import { ingress } from "./objects/ingress.ts";
import { limitRange } from "./objects/limitRange.ts";
import { namespace } from "./objects/namespace.ts";
import { networkPolicy } from "./objects/networkPolicy.ts";
import { resourceQuota } from "./objects/resourceQuota.ts";
import { role } from "./objects/role.ts";
import { roleBinding } from "./objects/roleBinding.ts";

/** What an environment is made from. */
export interface MemberEnvironmentArgs {
  readonly member: Member;
  readonly settings: Settings;
  /** The stack's ClusterRoles, one of which is the member's view of others. */
  readonly access: ClusterAccess;
  /** Whether the member's path is open, which takes a Service of theirs to lead to. */
  readonly routed: boolean;
}

/**
 * Everything that one member has on the cluster: a namespace with its guard rails, the keys to it, and a path.
 *
 * @example
 * new MemberEnvironment("alice", { member, settings, access, routed: true }, { provider });
 */
export class MemberEnvironment extends pulumi.ComponentResource {
  constructor(name: string, args: MemberEnvironmentArgs, opts: pulumi.ComponentResourceOptions) {
    super("kubecamp:index:MemberEnvironment", name, {}, opts);
    const home = this.#home(name, args);
    const guards = this.#guards(name, home, args);
    this.#keys(name, home, guards, args);
    if (args.routed) {
      this.#route(name, home, args);
    }
    this.registerOutputs({});
  }

  #home(name: string, { member, settings }: MemberEnvironmentArgs): k8s.core.v1.Namespace {
    return new k8s.core.v1.Namespace(`${name}/namespace`, namespace(member, settings), { parent: this });
  }

  /** They go with the namespace, never before it: isolation must not end while pods still run. */
  #guards(name: string, home: k8s.core.v1.Namespace, { member, settings }: MemberEnvironmentArgs): pulumi.Resource[] {
    const child = { parent: this, deletedWith: home };
    return [
      new k8s.core.v1.LimitRange(`${name}/limits`, inside(home, limitRange(member, settings)), child),
      new k8s.networking.v1.NetworkPolicy(`${name}/isolation`, inside(home, networkPolicy(member, settings)), child),
      ...(member.type.quota
        ? [new k8s.core.v1.ResourceQuota(`${name}/quota`, inside(home, resourceQuota(member, settings)), child)]
        : []),
    ];
  }

  /**
   * Made after the guard rails, and deleted before everything else. So the binding at home is no `deletedWith` child:
   * whoever leaves loses access at once, not whenever the namespace has finished deleting.
   */
  #keys(
    name: string,
    home: k8s.core.v1.Namespace,
    guards: pulumi.Resource[],
    { member, settings, access }: MemberEnvironmentArgs,
  ): void {
    const { home: homeRole, others } = member.type;
    const rights = new k8s.rbac.v1.Role(`${name}/role/${homeRole}`, inside(home, role(member, settings)), {
      parent: this,
      deletedWith: home,
    });
    new k8s.rbac.v1.RoleBinding(`${name}/binding/${homeRole}`, inside(home, roleBinding(member, settings)), {
      parent: this,
      dependsOn: [...guards, rights],
    });
    new k8s.rbac.v1.ClusterRoleBinding(`${name}/others/${others}`, clusterRoleBinding(member, settings), {
      parent: this,
      dependsOn: [...guards, access.view(others)],
    });
  }

  /** In the ingress controller's namespace, so never `deletedWith`: Pulumi's state is what finds and deletes these. */
  #route(name: string, home: k8s.core.v1.Namespace, { member, settings }: MemberEnvironmentArgs): void {
    const service = new k8s.core.v1.Service(`${name}/route/service`, externalService(member, settings), {
      parent: this,
      dependsOn: [home],
    });
    new k8s.networking.v1.Ingress(`${name}/route/ingress`, ingress(member, settings), {
      parent: this,
      dependsOn: [service],
    });
  }
}

/** Takes the namespace's name as its output, so that whatever becomes of the namespace becomes of its children. */
function inside<T extends { readonly metadata: object }>(home: k8s.core.v1.Namespace, args: T) {
  return { ...args, metadata: { ...args.metadata, namespace: home.metadata.name } };
}
