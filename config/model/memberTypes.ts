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

/** Most storage of all of a member's claims, in MiB: by number and size, and by StorageClass if the type names some. */
export function storageMiB({ type, limits }: Pick<Member, "type" | "limits">): number {
  const most = limits.persistentVolumeClaims * limits.maxPersistentVolumeClaimMiB;
  const ofClasses = type.storage && Object.values(type.storage).reduce((sum, each) => sum + each, 0);
  return Math.min(most, ofClasses ?? most);
}

/** Whether something is filled in where pods of a type leave it out. */
export const isFilledIn = ({ runtimeClasses, pool, userNamespaces }: Omit<MemberType, "name">) =>
  runtimeClasses?.default !== undefined || pool !== undefined || userNamespaces !== undefined;

/** Whether a device's name is that of a DRA DeviceClass rather than of an extended resource. */
export const isDeviceClass = (device: string) => !device.includes("/");

/** Whether a member's pods get devices by ResourceClaims, which the member makes. */
export const usesClaims = ({ devices = {} }: Pick<MemberType, "devices">) => Object.keys(devices).some(isDeviceClass);
