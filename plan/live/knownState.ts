import type { KubernetesObject } from "@kubernetes/client-node";
import { kindIn } from "../../cluster/kinds/kinds.ts";
import { type ObjectName, objectKey } from "../../cluster/kinds/objectName.ts";
import { accessType, environmentType, logicalNameIn, memberOf } from "../../config/names/urns.ts";
import { isMap } from "../../config/values/maps.ts";

export interface Exported {
  readonly deployment?: {
    readonly resources?: readonly StateResource[] | null;
    readonly pending_operations?: readonly PendingOperation[] | null;
  } | null;
}

/** @see https://pkg.go.dev/github.com/pulumi/pulumi/sdk/v3/go/common/apitype#ResourceV3 */
interface StateResource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly taint?: boolean;
  /** Conditions that its last run waited for in vain, such as a quota's status. */
  readonly initErrors?: readonly string[];
  readonly outputs?: unknown;
}

interface PendingOperation {
  readonly type: string;
  readonly resource: { readonly urn: string };
}

/** Members by name, each with the UID that their namespace had in the last run that saw it. */
export type KnownMembers = ReadonlyMap<string, string | undefined>;

export type KnownObjects = ReadonlySet<string>;

interface KnownResource {
  readonly name: string;
  /** Undefined for shared resources. */
  readonly member: string | undefined;
}

interface Unfinished extends KnownResource {
  /** Whether only a look at the cluster shows what has become of it. */
  readonly refresh: boolean;
  /** Whether a killed run was to make it. Pulumi remembers that until somebody clears it. */
  readonly isCreation: boolean;
}

export interface KnownState {
  /** Whether no run has made anything yet. */
  readonly isEmpty: boolean;
  /** kubecamp's resources, without those that are only left to be deleted. */
  readonly resources: readonly KnownResource[];
  readonly names: ReadonlySet<string>;
  /** Members whose namespace is in the state, even if it is only left to be deleted. */
  readonly members: KnownMembers;
  readonly objects: KnownObjects;
  /** The objects as the last run that saw them did. */
  readonly content: readonly KubernetesObject[];
  readonly unfinished: readonly Unfinished[];
}

export function knownState({ deployment }: Exported): KnownState {
  const all = deployment?.resources ?? [];
  const own = all.filter(({ urn }) => isOwn(urn));
  const standing = own.filter((resource) => resource.delete !== true);
  const resources = standing.map(({ urn }) => named(urn));
  const names = new Set(resources.map(({ name }) => name));
  const content = standing.flatMap(({ outputs }) =>
    isMap(outputs) && typeof outputs.kind === "string" ? [outputs as KubernetesObject] : [],
  );
  return {
    isEmpty: !all.some(({ urn }) => typeIn(urn) === accessType),
    resources,
    names,
    members: membersIn(own),
    objects: new Set(content.flatMap(keyOf)),
    content,
    unfinished: [
      ...own
        .filter(
          ({ delete: isPendingDeletion, taint, initErrors = [] }) => isPendingDeletion || taint || initErrors.length,
        )
        .map(({ urn }) => ({ ...named(urn), refresh: false, isCreation: false })),
      ...(deployment?.pending_operations ?? [])
        .map(({ type, resource }) => ({ ...named(resource.urn), refresh: true, isCreation: type === "creating" }))
        // The state has it by now.
        .filter(({ name, isCreation }) => !isCreation || !names.has(name)),
    ],
  };
}

const named = (urn: string): KnownResource => ({ name: logicalNameIn(urn), member: memberOf(urn) });

const typesIn = (urn: string) => (urn.split("::")[2] ?? "").split("$");
const typeIn = (urn: string) => typesIn(urn).at(-1) ?? "";
const isOwn = (urn: string) => [environmentType, accessType].includes(typesIn(urn)[0] ?? "");

function membersIn(resources: readonly StateResource[]): KnownMembers {
  const namespaces = resources.filter(({ urn }) => typeIn(urn) === "kubernetes:core/v1:Namespace");
  return new Map(
    namespaces.flatMap(({ urn, outputs }) => {
      const member = memberOf(urn);
      const { uid } = Object(Object(outputs).metadata);
      return member === undefined ? [] : [[member, typeof uid === "string" ? uid : undefined] as const];
    }),
  );
}

function keyOf({ apiVersion, kind = "", metadata }: KubernetesObject): string[] {
  const { name, namespace } = metadata ?? {};
  return name === undefined ? [] : [objectKey(kindIn(apiVersion, kind) as ObjectName["kind"], name, namespace)];
}
