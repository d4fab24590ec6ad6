/** Role of a member in their own namespace: `edit` to run workloads, `view` to look at them. */
export type HomeRole = "edit" | "view";

/** View of other members: workloads, Services and routes (`view`), or Services and routes (`view-guest`). */
export type OthersView = "view" | "view-guest";

/** The name of a Pod Security Standard. */
type PodSecurity = "baseline" | "restricted";

/** A member type. */
export interface MemberType {
  /** The type's name, as in members' entries. */
  readonly name: string;
  /** Role in the member's own namespace. */
  readonly home: HomeRole;
  /** View of other members' namespaces. */
  readonly others: OthersView | "none";
  /** Whether members of the type have a ResourceQuota. */
  readonly quota: boolean;
  /**
   * Enforced Pod Security Standard.
   * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
   */
  readonly podSecurity: PodSecurity;
  /**
   * PriorityClasses that members' pods may name.
   * @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
   */
  readonly priorityClasses: readonly string[];
  /** Most devices of all pods, by extended resource or DRA DeviceClass; none of others. Default: any, uncounted. */
  readonly devices?: Readonly<Record<string, number>>;
  /** Most storage of all claims in MiB, by StorageClass; none of others. Default: any. */
  readonly storage?: Readonly<Record<string, number>>;
  /**
   * Default: any.
   * @see https://kubernetes.io/docs/concepts/containers/runtime-class/
   */
  readonly runtimeClasses?: RuntimeClasses;
  /** Default: nodes that are in no pool. */
  readonly pool?: Pool;
  /**
   * Whether pods must have a user namespace of their own, in which root is nobody on the node. Default: they may.
   * @see https://kubernetes.io/docs/concepts/workloads/pods/user-namespaces/
   */
  readonly userNamespaces?: "required";
}

/** RuntimeClasses of a member's pods. */
interface RuntimeClasses {
  /** A pod has one of these; if there are none, it names none. */
  readonly allowed: readonly string[];
  /** The one that a pod gets which names none. Default: such a pod is refused. */
  readonly default?: string;
}

/** Settings of types and members that admission policies enforce, by the policy's name. */
export interface Confinement {
  readonly devices?: {
    /** Whether there are DRA DeviceClasses among them, for which members make ResourceClaims. */
    readonly claims: boolean;
  };
  readonly storage?: true;
  readonly runtimes?: true;
  /** All pools, each once. */
  readonly pools?: readonly Pool[];
  readonly users?: true;
  /** Whether something of it is filled in where pods leave it out. */
  readonly fillsIn?: true;
}

/** Roles that a type can have at home. */
export const homeRoles = ["edit", "view"] as const satisfies readonly HomeRole[];

/** Views of others that a type can have. */
export const othersViews: readonly OthersView[] = ["view", "view-guest"];

/** Whether something is filled in where pods of a type leave it out. */
export const isFilledIn = ({ runtimeClasses, pool, userNamespaces }: Omit<MemberType, "name">) =>
  runtimeClasses?.default !== undefined || pool !== undefined || userNamespaces !== undefined;

/** Whether a device's name is that of a DRA DeviceClass rather than of an extended resource. */
export const isDeviceClass = (device: string) => !device.includes("/");

/** Whether a member's pods get devices by ResourceClaims, which the member makes. */
export const usesClaims = ({ devices = {} }: Pick<MemberType, "devices">) => Object.keys(devices).some(isDeviceClass);

/**
 * A taint that pods tolerate; an absent effect means any.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export interface Toleration {
  readonly key: string;
  readonly operator: "Equal" | "Exists";
  /** Absent with `Exists`. */
  readonly value?: string;
  readonly effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** Nodes that only the pods of some members run on, and these on no others. */
export interface Pool {
  /** Labels of the nodes. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Taints that keep others' pods off the nodes. */
  readonly tolerations: readonly Toleration[];
}

/** Name of a pool, which says all of it: `pool=gpu dedicated=gpu:NoSchedule`. */
export const poolName = ({ nodeSelector, tolerations }: Pool): string =>
  [Object.entries(nodeSelector).map(([key, value]) => `${key}=${value}`), tolerations.map(tolerationText)]
    .map((parts) => parts.join(","))
    .join(" ");

/** As `kubectl taint` has it: `dedicated=gpu:NoSchedule`, or `dedicated` for any value and effect. */
export const tolerationText = ({
  key,
  operator,
  value,
  effect,
}: Omit<Toleration, "effect"> & { readonly effect?: string | undefined }): string =>
  `${key}${operator === "Exists" ? "" : `=${value ?? ""}`}${effect === undefined ? "" : `:${effect}`}`;

/** Labels of Kubernetes' own, such as a node's zone, are nobody's: any pod may choose nodes by them. */
export const isKubernetesOwn = (key: string): boolean => /^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key);
