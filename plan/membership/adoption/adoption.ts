import type { MemberPlan } from "../../memberPlan.ts";

/** What a run does with what kubecamp has not made. */
export interface Adoption {
  /** Keys of what it takes over. */
  readonly takenOver: ReadonlySet<string>;
  /** What there is to tell. */
  readonly warnings: readonly (string | undefined)[];
}

/** Names of members of whom it is said that what was there before is taken over, now or some time ago. */
export const adopting = (members: readonly Pick<MemberPlan, "member">[]): ReadonlySet<string> =>
  new Set(members.flatMap(({ member }) => (member.adopt ? [member.name] : [])));
