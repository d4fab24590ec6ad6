import type { BoardDifference, BoardMember, BoardUp } from "../model.ts";
import type { PathState } from "../paths.ts";

/** The words of the pages in one language. */
export interface Words {
  /** @param stack undefined for the members of all stacks */
  title(stack: string | undefined): string;
  /** @param time such as `2026-11-27 02:00 UTC` */
  readAt(time: string): string;
  readonly skip: string;
  readonly contents: string;
  /** Of a member's page. */
  readonly back: string;
  readonly ownPage: string;
  /** Of a label that some members lack. */
  readonly without: string;
  readonly nobody: string;
  count(members: number): string;
  readonly headings: Readonly<
    Record<"labels" | "differs" | "ups" | "members" | "quota" | "firstDay" | "meanings", string>
  >;
  readonly states: Readonly<Record<BoardMember["state"], string>>;
  readonly meanings: Readonly<Record<BoardMember["state"], string>>;
  readonly paths: Readonly<Record<PathState, string>>;
  readonly fields: Readonly<
    Record<
      | "stack"
      | "namespace"
      | "type"
      | "reason"
      | "labels"
      | "path"
      | "expires"
      | "leaves"
      | "turn"
      | "protected"
      | "starter"
      | "buckets"
      | "staff"
      | "ci"
      | "differs",
      string
    >
  >;
  readonly resources: Readonly<
    Record<"cpu" | "memory" | "storage" | "claims" | "pods" | "resource" | "use" | "share", string>
  >;
  device(name: string): string;
  storageClass(name: string): string;
  readonly noQuota: string;
  readonly uncounted: string;
  readonly protected: string;
  turn(to: "asleep" | "awake", time: string): string;
  starter(mode: "once" | "kept", available: number, replicas: number): string;
  readonly bucketMissing: string;
  differences(count: number): string;
  readonly difference: Readonly<Record<BoardDifference["what"], string>>;
  readonly shared: string;
  readonly nothingDiffers: string;
  readonly noUps: string;
  /** Of a member's page. */
  readonly noOwnUps: string;
  readonly wholeStack: string;
  readonly outcomes: Readonly<Record<BoardUp["outcome"], string>>;
  changes(operation: BoardUp["changes"][number]["operation"], count: number): string;
  readonly noChanges: string;
  seconds(count: number): string;
  more(count: number): string;
}
