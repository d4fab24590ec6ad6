import type { V1RoleBinding } from "@kubernetes/client-node";
import { ciBindingName, staffBindingName } from "../../../config/names/names.ts";
import { type StaffRole, staffRoles } from "../../../config/staff.ts";
import { compare } from "../../../config/values/sentences.ts";

/** Somebody whom kubecamp has bound to a role of staff in a member's namespace. */
export interface StaffOverview {
  readonly role: StaffRole;
  readonly kind: string;
  /** Name as the API server has it, with the issuer's prefix. */
  readonly name: string;
}

/** Staff by namespace, the strongest role first. */
export function staffByNamespace(bindings: readonly V1RoleBinding[]): Map<string, StaffOverview[]> {
  const byNamespace = Map.groupBy(bindings, ({ metadata }) => metadata?.namespace ?? "");
  return new Map([...byNamespace].map(([namespace, own]) => [namespace, staffIn(own)]));
}

const staffIn = (bindings: readonly V1RoleBinding[]): StaffOverview[] =>
  staffRoles.toReversed().flatMap((role) =>
    bindings
      .filter(({ metadata }) => metadata?.name === staffBindingName(role))
      .flatMap(({ subjects = [] }) => subjects.map(({ kind, name }) => ({ role, kind, name })))
      .sort((a, b) => compare(a.kind, b.kind) || compare(a.name, b.name)),
  );

/** CI jobs, or the ServiceAccount for them, that kubecamp lets deploy into a member's namespace. */
export interface CiOverview {
  /** `User` for the jobs of an issuer, `ServiceAccount` for those with a token for an hour. */
  readonly kind: string;
  /** Name as the API server has it, with the issuer's prefix. */
  readonly name: string;
}

/** CI jobs by namespace, ServiceAccounts last. */
export const ciByNamespace = (bindings: readonly V1RoleBinding[]): Map<string, CiOverview[]> =>
  new Map(
    bindings
      .filter(({ metadata }) => metadata?.name === ciBindingName)
      .map(({ metadata, subjects = [] }) => [
        metadata?.namespace ?? "",
        subjects
          .map(({ kind, name }) => ({ kind, name }))
          .sort((a, b) => compare(b.kind, a.kind) || compare(a.name, b.name)),
      ]),
  );
