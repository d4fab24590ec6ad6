/** Options of the command line that select stacks and members. */
export interface UpStackOptions {
  readonly stack: string;
  /** The project's folder, with `Pulumi.yaml`. */
  readonly folder: string;
  /** Names of members; empty: whatever differs. */
  readonly member: readonly string[];
  readonly all: boolean;
  readonly refresh: boolean;
  /** Number of stacks at a time. Default: as many as memory allows. */
  readonly parallel?: number;
}
