import type { StaffRole } from "./settings.ts";

/** Roles of staff; each has all rights of those before it. */
export const staffRoles = ["view", "assist", "edit"] as const satisfies readonly StaffRole[];
