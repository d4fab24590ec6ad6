import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { KnownState } from "./knownState.ts";

/** What a stack is to become, and what it is. */
export interface Look {
  readonly settings: Settings;
  /** All members, whatever stack of a family they are of: nobody of these leaves. */
  readonly list: readonly Member[];
  /** Those of this stack. */
  readonly members: readonly Member[];
  readonly snapshot: ClusterSnapshot;
  readonly state: KnownState;
}
