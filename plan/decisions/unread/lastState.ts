import type { KubernetesObject } from "@kubernetes/client-node";
import { kindIn } from "../../../cluster/kinds/kinds.ts";
import { type ObjectName, objectKey } from "../../../cluster/read/snapshot/snapshot.ts";
import { isMap } from "../../../config/model/maps.ts";
import { logicalNameIn, memberOf } from "../../../naming/urns.ts";

/** A state file, as far as it is read. */
export interface Exported {
  readonly deployment?: { readonly resources?: readonly StateResource[] | null } | null;
}

interface StateResource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly outputs?: unknown;
}

/** Leaves out resources that an earlier run was to delete and did not. */
export function logicalNamesIn({ deployment }: Exported): ReadonlySet<string> {
  const resources = (deployment?.resources ?? []).filter((resource) => resource.delete !== true);
  return new Set(resources.map(({ urn }) => logicalNameIn(urn)));
}

/** Members by name, each with the UID that their namespace had in the last run that saw it. */
export type KnownMembers = ReadonlyMap<string, string | undefined>;

/** Members whose namespace is in the state, even if it is only left to be deleted. */
export function membersIn(resources: readonly StateResource[]): KnownMembers {
  const namespaces = resources.filter(({ urn }) => urn.split("::")[2]?.endsWith("$kubernetes:core/v1:Namespace"));
  return new Map(
    namespaces.flatMap(({ urn, outputs }) => {
      const member = memberOf(urn);
      return member === undefined ? [] : [[member, uidIn(outputs)] as const];
    }),
  );
}

/** Keys of the objects in the state (`objectKey`). */
export type KnownObjects = ReadonlySet<string>;

/** Leaves out resources left to be deleted. */
export const objectsIn = (resources: readonly StateResource[]): KnownObjects =>
  new Set(
    contentIn(resources).flatMap(({ apiVersion, kind = "", metadata }) => {
      const { name, namespace } = metadata ?? {};
      return name === undefined ? [] : [objectKey(kindIn(apiVersion, kind) as ObjectName["kind"], name, namespace)];
    }),
  );

/** The same objects, as they were. */
export const contentIn = (resources: readonly StateResource[]): KubernetesObject[] =>
  resources.flatMap(({ outputs, delete: isPendingDeletion = false }) =>
    isMap(outputs) && typeof outputs.kind === "string" && !isPendingDeletion ? [outputs] : [],
  );

function uidIn(outputs: unknown): string | undefined {
  const metadata = isMap(outputs) ? outputs.metadata : undefined;
  return textIn(isMap(metadata) ? metadata.uid : undefined);
}

const textIn = (value: unknown) => (typeof value === "string" ? value : undefined);
