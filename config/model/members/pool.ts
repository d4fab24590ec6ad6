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
