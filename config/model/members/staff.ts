import type { Selector } from "./selector.ts";

/**
 * Rights of staff in a member's namespace: to look (`view`), also to run commands in pods and restart (`assist`), or what
 * the member may do (`edit`).
 */
export type StaffRole = "view" | "assist" | "edit";

/** A user or a group at the API server, prefix included. */
export interface StaffSubject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

/** Staff of some members. */
export interface Staff {
  readonly subject: StaffSubject;
  readonly role: StaffRole;
  readonly over: Selector;
}

/** Staff of one member: each subject once, in their strongest role; no role without subjects. */
export type MemberStaff = Readonly<Partial<Record<StaffRole, readonly StaffSubject[]>>>;

/** Roles of staff; each has all rights of those before it. */
export const staffRoles = ["view", "assist", "edit"] as const satisfies readonly StaffRole[];
