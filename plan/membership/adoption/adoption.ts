import type { MemberPlan } from "../../memberPlan.ts";
import type { Finding } from "../../messages/catalogue.ts";

/** What a run does with what kubecamp has not made. */
export interface Adoption {
  /** Keys of what it takes over. */
  readonly takenOver: ReadonlySet<string>;
  /** What there is to tell. */
  readonly warnings: readonly Finding[];
}

/** Names of members of whom it is said that what was there before is taken over, now or some time ago. */
export const adopting = (members: readonly Pick<MemberPlan, "member">[]): ReadonlySet<string> =>
  new Set(members.flatMap(({ member }) => (member.adopt ? [member.name] : [])));
