import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import type { ComingCode, ComingFacts } from "../words/notices.ts";

export interface Look {
  readonly members: readonly Member[];
  readonly settings: Settings;
  readonly snapshot: Pick<ClusterSnapshot, "managedObjects">;
  readonly now: Date;
}

export interface Expected<C extends ComingCode> {
  readonly member: string;
  /** Object that Events are about, as messages have it. Default: the member's Service. */
  readonly object?: string;
  readonly facts: ComingFacts[C];
  /** Tells several of one member apart, such as a date or a resource: each is told once. */
  readonly about: string;
  /** Time at which it happens; undefined for what depends on the member, such as a full quota. */
  readonly at?: Date;
  /** The threshold that is passed, smaller the nearer it is; undefined while it is not to be told. */
  readonly step: number | undefined;
  /** Whether it is so far away that it is told anew once it comes near again. */
  readonly isForgotten: boolean;
}

export interface ComingRow<C extends ComingCode> {
  /** Whether messages to admins have it; Events always do. */
  readonly isForAdmins: boolean;
  readonly of: (look: Look) => readonly Expected<C>[];
}
