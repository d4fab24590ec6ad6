import { objectKey, objectNameOf } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { hasAccess } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { ciBindingName, namespaceName } from "../../config/names/names.ts";
import { isOwnStack } from "../live/owner.ts";
import type { Planned } from "../members/plan.ts";
import type { Finding } from "../words/finding.ts";

interface OtherOwner {
  readonly owner: string;
  readonly stack: string;
}

type Live = Pick<ClusterSnapshot, "namespaces" | "managedObjects">;

/** Refuses to let CI jobs into a second namespace: those of another stack's member. The rules look at one list alone. */
export const jobsElsewhere = (plan: Planned<Live>): Finding<"jobElsewhere">[] =>
  sharedJobs(plan).flatMap(({ isBound, ...shared }) => (isBound ? [] : [{ code: "jobElsewhere", ...shared }]));

/** CI jobs that deploy into two stacks' namespaces already, as when both were brought up at the same time. */
export const jobsOfTwo = (plan: Planned<Live>): Finding<"jobOfTwo">[] =>
  sharedJobs(plan).flatMap(({ isBound, ...shared }) => (isBound ? [{ code: "jobOfTwo", ...shared }] : []));

function sharedJobs({ members, settings, snapshot }: Planned<Live>) {
  const own = members.flatMap(({ member }) => (hasAccess(member) && member.ci !== undefined ? [member] : []));
  const others = own.length === 0 ? new Map<string, OtherOwner>() : jobsOfOthers(settings, snapshot);
  return own.flatMap((member) => {
    const bound = boundBy(objectKey("RoleBinding", ciBindingName, namespaceName(member)), snapshot);
    return (member.ci?.subjects ?? []).flatMap((job) => {
      const other = others.get(job);
      return other === undefined
        ? []
        : [{ member: member.name, facts: { job, ...other }, isBound: bound.includes(job) }];
    });
  });
}

/** By user name. Whose a binding is, its namespace says, whose labels only an admin writes. */
function jobsOfOthers(settings: Planned["settings"], snapshot: Live): Map<string, OtherOwner> {
  return new Map(
    [...snapshot.managedObjects.keys()].flatMap((key) => {
      const { kind, name, namespace = "" } = objectNameOf(key);
      const home = kind === "RoleBinding" && name === ciBindingName ? snapshot.namespaces.get(namespace) : undefined;
      const { [stackLabel]: stack, [memberLabel]: owner } = home?.labels ?? {};
      const isOthers = owner !== undefined && owner === namespace && !isOwnStack(stack, settings);
      return home === undefined || stack === undefined || !isOthers || home.terminating
        ? []
        : boundBy(key, snapshot).map((job) => [job, { owner, stack }] as const);
    }),
  );
}

function boundBy(key: string, { managedObjects }: Live): string[] {
  const { subjects } = managedObjects.get(key)?.content ?? {};
  return (Array.isArray(subjects) ? subjects : []).flatMap(({ kind, name }: { kind?: unknown; name?: unknown }) =>
    kind === "User" && typeof name === "string" ? [name] : [],
  );
}
