import type { V1RoleBinding } from "@kubernetes/client-node";
import { compare } from "../../../cluster/kinds/compare.ts";
import { ciBindingName } from "../../../naming/names.ts";

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
