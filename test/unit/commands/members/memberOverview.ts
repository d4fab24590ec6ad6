import type { MemberOverview } from "../../../../plan/members/overview.ts";

/** A member without anything, as an overview has them. */
export const memberOverview = (name: string, more: Partial<MemberOverview> = {}): MemberOverview => ({
  stack: "dev",
  member: name,
  namespace: name,
  type: "user",
  state: "ready",
  reason: undefined,
  route: undefined,
  expires: undefined,
  leaves: undefined,
  protected: false,
  starter: undefined,
  buckets: [],
  staff: [],
  ci: [],
  pods: 0,
  usage: undefined,
  ...more,
});
