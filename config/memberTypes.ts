import type { MemberType, OthersView } from "./settings.ts";

/** The types of member that every stack has; `memberTypes` can change them and add others. */
export const builtInMemberTypes = {
  admin: { name: "admin", home: "edit", others: "view", quota: false, podSecurity: "baseline" },
  user: { name: "user", home: "edit", others: "view", quota: true, podSecurity: "baseline" },
  "guest-user": { name: "guest-user", home: "edit", others: "view-guest", quota: true, podSecurity: "baseline" },
} as const satisfies Record<string, MemberType>;

/** The views of others that a type can have. */
export const othersViews: readonly OthersView[] = ["view", "view-guest"];
