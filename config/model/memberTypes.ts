import { defaultTraits } from "./defaults.ts";
import type { HomeRole, Member, MemberType, OthersView } from "./settings.ts";

/** Types of member that every stack has; `memberTypes` can change them and add others. */
export const builtInMemberTypes = {
  admin: { ...defaultTraits, name: "admin", quota: false },
  user: { ...defaultTraits, name: "user" },
  "guest-user": { ...defaultTraits, name: "guest-user", others: "view-guest" },
} as const satisfies Record<string, MemberType>;

/** Whether a member has a ResourceQuota: by type, or because a suspended or expired member may run no pod. */
export function hasQuota({ type, standing }: Pick<Member, "type" | "standing">): boolean {
  return type.quota || standing !== "active";
}

/** Roles that a type can have at home. */
export const homeRoles = ["edit", "view"] as const satisfies readonly HomeRole[];

/** Views of others that a type can have. */
export const othersViews: readonly OthersView[] = ["view", "view-guest"];

/** Most storage of all of a member's claims, in MiB. */
export const storageMiB = ({ limits }: Pick<Member, "type" | "limits">): number =>
  limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB;
