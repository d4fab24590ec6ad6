import { defaultTraits } from "./defaults.ts";
import type { HomeRole, Member, MemberType, OthersView } from "./settings.ts";

/** The types of member that every stack has; `memberTypes` can change them and add others. */
export const builtInMemberTypes = {
  admin: { ...defaultTraits, name: "admin", quota: false },
  user: { ...defaultTraits, name: "user" },
  "guest-user": { ...defaultTraits, name: "guest-user", others: "view-guest" },
} as const satisfies Record<string, MemberType>;

/** Whether a member has a ResourceQuota: by their type, or because no pod of theirs may run. */
export function hasQuota({ type, standing }: Pick<Member, "type" | "standing">): boolean {
  return type.quota || standing !== "active";
}

/** The roles at home that a type can have. */
export const homeRoles = ["edit", "view"] as const satisfies readonly HomeRole[];

/** The views of others that a type can have. */
export const othersViews: readonly OthersView[] = ["view", "view-guest"];
