import type { V1OwnerReference } from "@kubernetes/client-node";
import { customKindsIn } from "../../config/objects/objectKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { type Kind, kinds } from "../kinds/kinds.ts";
import { type ObjectName, objectKey, serviceKey } from "../kinds/objectName.ts";
import type { StackKind } from "../kinds/stackKinds.ts";

export interface ClusterSnapshot {
  /** UID of the namespace `kube-system`, the cluster's identity. */
  readonly id: string;
  readonly namespaces: ReadonlyMap<string, LiveObject>;
  /** Services of all namespaces, by `namespace/name`. */
  readonly services: ReadonlyMap<string, LiveService>;
  /** The one that routes attach to, and why its controller does not serve it; undefined without one, or for Ingresses. */
  readonly gateway?: (LiveObject & { readonly unprogrammed: string | undefined }) | undefined;
  /** Objects of the kinds that a stack manages, whoever made them, by `objectKey`. */
  readonly managedObjects: ReadonlyMap<string, ManagedObject>;
  /** Names of members whose namespace is gone while Pulumi's state still has a part of its objects (`halfForgotten`). */
  readonly forgotten?: ReadonlySet<string> | undefined;
  /** Managed objects and Services with owners, by `objectKey`; the garbage collector deletes them with their owner. */
  readonly owned: ReadonlyMap<string, OwnedObject>;
  /** Pods and claims of each namespace; read only if a member leaves or is suspended, and empty otherwise. */
  readonly namespaceContents: ReadonlyMap<string, NamespaceContents>;
  /** Addresses that objects of others hold, each with the objects' keys (`takenPaths`). */
  readonly taken?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Start of the read; undefined for commands that make nothing. */
  readonly now?: string | undefined;
  readonly domain?: string | undefined;
  /** Whether the API server has MutatingAdmissionPolicies; asked only if a setting takes one. */
  readonly mutates?: boolean | undefined;
  /** Names of classes that types and members may name; of a kind that was not read, undefined. */
  readonly classes?: LiveClasses | undefined;
  /** Contents of what members get copies of, by `objectKey`; undefined if they were not read. */
  readonly copies?: ReadonlyMap<string, CopiedContent> | undefined;
  /** Nodes and devices, if settings name some; undefined otherwise. */
  readonly hardware?: Hardware | undefined;
  /** Parts that were not read, and therefore only seem absent; undefined if everything was read. */
  readonly unread?: Unread | undefined;
  /** Whether a preview's identity may write; otherwise the API server tried no change. Undefined for other runs. */
  readonly mayWrite?: Right | undefined;
}

export type Right = "yes" | "no" | "unknown";

/** What a preview or the watch could not read: neither present nor absent, so decisions keep the last state. */
export interface Unread {
  /** Whether the cluster was not asked at all (`KUBECAMP_OFFLINE`); otherwise it refused some lists. */
  readonly offline: boolean;
  /** Kinds that were not read, each with the API server's refusal, if any. */
  readonly kinds: ReadonlyMap<Kind, string>;
  /** Whether the run leaves alone what it has of these kinds, and makes no more of them: an up of the watch. */
  readonly isLeftOut?: true;
  /** Logical names in Pulumi's state, to decide by instead; undefined if the state could not be read. */
  readonly last?: ReadonlySet<string> | undefined;
}

export interface CopiedContent {
  readonly resourceVersion: string;
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

export type LiveClasses = { readonly [K in ClassKind]?: ReadonlySet<string> };
export type ClassKind = "RuntimeClass" | "StorageClass";

export interface Hardware {
  /** Undefined if they could not be read. */
  readonly nodes?: readonly LiveNode[];
  readonly deviceClasses?: readonly LiveDeviceClass[];
  readonly refused: ReadonlyMap<Kind, string>;
}

export interface LiveNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
  readonly devices: readonly string[];
}

export interface LiveDeviceClass {
  readonly name: string;
  /** Extended resource by which pods may ask for its devices. */
  readonly extendedResource: string | undefined;
}

/** Contents of a namespace that deletion destroys or suspension stops. */
export interface NamespaceContents {
  readonly pods: number;
  readonly claims: readonly Claim[];
}

export interface Claim {
  readonly name: string;
  readonly storage: string;
}

export interface LiveObject {
  readonly labels: Readonly<Record<string, string>>;
  readonly terminating: boolean;
  /** UID of a Namespace; distinguishes it from a later one of the same name. */
  readonly uid?: string | undefined;
}

export interface LiveService
  extends LiveObject,
    Pick<ManagedObject, "annotations" | "resourceVersion" | "applied" | "isLarge" | "isMarked"> {
  readonly type: string;
  /** `None` for a headless Service. */
  readonly clusterIP: string;
  readonly selector: Readonly<Record<string, string>>;
  /** TCP ports; routes use no other protocol. */
  readonly ports: readonly number[];
  /** Names of all ports, by `80/TCP`; empty for a port without a name. */
  readonly portNames: Readonly<Record<string, string>>;
  /** Target ports by the same keys: number or name of the pods' port. */
  readonly targetPorts: Readonly<Record<string, number | string>>;
  /** Ports that ready pods answer on; also empty if no route depends on them (`endpointsMatter`). */
  readonly readyPorts: readonly ReadyPort[];
  readonly externalName?: string | undefined;
}

export interface ReadyPort {
  readonly name: string;
  readonly port: number;
}

/** Kinds that a stack manages, except Services: decisions need other fields of those. */
export type ManagedKind = Exclude<StackKind, "Service">;

export interface OwnedObject extends ObjectName {
  readonly uid: string;
  readonly owners: readonly V1OwnerReference[];
}

export interface ManagedObject {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  readonly applied: string | undefined;
  /** The object without its metadata, as the API server returns it; a quota's status has its usage. */
  readonly content: Readonly<Record<string, unknown>>;
  readonly terminating?: boolean;
  /** When the API server made it, as ISO 8601 has it; only for kinds that members write. */
  readonly created?: string;
  /** Whether nothing can be added, because of its size beside the data; only for kinds that members write. */
  readonly isLarge?: true;
  /** Whether Pulumi would take a text in it for a mark of its own (`hasMarks`); only for kinds that members write. */
  readonly isMarked?: true;
}

export type Found<K extends StackKind = StackKind> = K extends "Service" ? LiveService : ManagedObject;

/** Undefined if absent or not read. The watch has the stack's own Services among the managed objects. */
export function liveOf<K extends StackKind>(
  { kind, name, namespace }: ObjectName & { readonly kind: K },
  { managedObjects, services }: Pick<ClusterSnapshot, "managedObjects"> & Partial<Pick<ClusterSnapshot, "services">>,
): Found<K> | undefined {
  const live =
    managedObjects.get(objectKey(kind, name, namespace)) ??
    (kind === "Service" ? services?.get(serviceKey(namespace ?? "", name)) : undefined);
  return live as Found<K> | undefined;
}

export const contentOf = (live: Found | undefined): ManagedObject["content"] =>
  live !== undefined && "content" in live ? live.content : {};

/** The snapshot of a cluster that was not read. @param settings for custom kinds. Default: none */
export function nothingRead(settings: Pick<Settings, "objectKinds"> = {}): ClusterSnapshot {
  const all = [...Object.keys(kinds), ...customKindsIn(settings)];
  return {
    id: "",
    namespaces: new Map(),
    services: new Map(),
    gateway: undefined,
    managedObjects: new Map(),
    owned: new Map(),
    namespaceContents: new Map(),
    unread: { offline: true, kinds: new Map(all.map((kind) => [kind as Kind, ""])) },
  };
}
