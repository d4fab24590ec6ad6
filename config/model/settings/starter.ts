/**
 * Treatment of a starter app after it is made: `once` leaves it to the member, with all changes; `kept` restores the
 * declared state.
 */
export type StarterMode = "once" | "kept";

/** Settings shared by all starter apps; such an app answers on a member's path from the first run on. */
export interface StarterSettings {
  /** Such as `docker.io/library/caddy:2`. */
  readonly image: string;
  /** Port that the container listens on. */
  readonly port: number;
  /** How many pods. */
  readonly replicas: number;
  /** CPU request and limit of each pod, in thousandths of a CPU. */
  readonly cpuMillicores: number;
  /** Memory request and limit of each pod, in MiB. */
  readonly memoryMiB: number;
  /**
   * Markdown by file name, with `index.md`; placeholders such as `{member}` are filled in. Default: a page of
   * kubecamp's.
   */
  readonly pages?: Readonly<Record<string, string>>;
}
