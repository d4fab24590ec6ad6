import type { Member } from "../../config/member/member.ts";
import { staffUntilAnnotation } from "../../config/names/labels.ts";
import { staffBindingName, staffRoleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { StaffRole } from "../../config/staff.ts";
import { defined } from "../../config/values/maps.ts";
import { metadataOf } from "../metadata.ts";
import { homeRules } from "./role.ts";
import { leasesText, rbac, staffSubjects } from "./subjects.ts";

/**
 * Rights that `assist` adds: commands in pods, ports, and restarts. A patch of a workload could mount every Secret; the admission
 * policy `restarts` lets it be a restart alone. A Deployment makes a deleted pod anew.
 */
const assisting = [
  { apiGroups: [""], resources: ["pods/exec", "pods/portforward"], verbs: ["get", "create"] },
  { apiGroups: [""], resources: ["pods"], verbs: ["delete"] },
  { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "statefulsets"], verbs: ["patch"] },
];

/**
 * All that JupyterHub's KubeSpawner needs. It can delete no claim, since members keep their data, and read no Secret: what
 * its pods mount, the member can mount, too.
 */
const spawning = [
  { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch", "create", "delete"] },
  { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: ["get", "create"] },
  { apiGroups: [""], resources: ["events"], verbs: ["get", "list", "watch"] },
];

/** A Role rather than a ClusterRole, so that no binding can have it hold elsewhere. `edit` is the member's own Role. */
export function staffRole(member: Member, role: Exclude<StaffRole, "edit">, settings: Settings) {
  return {
    metadata: metadataOf(staffRoleName(role), member, settings),
    rules:
      role === "spawn" ? spawning : [...homeRules("view", member, settings), ...(role === "assist" ? assisting : [])],
  };
}

/** The key of staff to one member's namespace, whatever the member's standing. A new subject changes it in place. */
export function staffBinding(member: Member, role: StaffRole, settings: Settings) {
  return {
    metadata: metadataOf(staffBindingName(role), member, settings, {
      annotations: defined({ [staffUntilAnnotation]: leasesText(member, role) }),
    }),
    roleRef: { apiGroup: rbac, kind: "Role", name: staffRoleName(role) },
    subjects: staffSubjects(member, role),
  };
}
