import type { V1OwnerReference } from "@kubernetes/client-node";
import type { Kind } from "../kinds/kinds.ts";
import type { StackKind } from "../kinds/stackKinds.ts";
import type { Right } from "./rights/mayWrite.ts";

/**
 * What a run knows of the live cluster: each kind read once, and only what decisions need.
 */
export interface ClusterSnapshot {
  /** UID of the namespace `kube-system`, the cluster's identity. */
  readonly id: string;
  readonly namespaces: ReadonlyMap<string, LiveObject>;
  /** Services of every namespace, by `namespace/name`. */
  readonly services: ReadonlyMap<string, LiveService>;
  /** The Gateway that routes are attached to; undefined where there is none, or routes are not a Gateway's. */
  readonly gateway?: LiveGateway | undefined;
  /** What guards members and opens doors, whoever made it, by `objectKey`. */
  readonly managedObjects: ReadonlyMap<string, ManagedObject>;
  /** Names of members whose namespace is gone, and half of what was in it from Pulumi's state (`halfForgotten`). */
  readonly forgotten?: ReadonlySet<string> | undefined;
  /** Guards and Services that have owners, with which the garbage collector would delete them; by `objectKey`. */
  readonly owned: ReadonlyMap<string, OwnedObject>;
  /** Guards and Services that several runs have applied, each under a field manager of its own; by `objectKey`. */
  readonly managers?: ReadonlyMap<string, AppliedObject>;
  /** What runs and is kept in each namespace; read only when somebody leaves or is suspended, and empty otherwise. */
  readonly namespaceContents: ReadonlyMap<string, NamespaceContents>;
  /** Addresses that others' objects have, with the key of each (`takenPaths`). */
  readonly taken?: ReadonlyMap<string, string> | undefined;
  /** When a run began to read it; undefined for what makes nothing. */
  readonly now?: string | undefined;
  /** The cluster's DNS domain, where it was asked for and told. */
  readonly domain?: string | undefined;
  /** What of all this is not known, and so absent without being so; undefined where everything was read. */
  readonly unread?: Unread | undefined;
  /** Whether the identity of a preview may write, or the API server tried nothing of what is shown; no other run asks. */
  readonly mayWrite?: Right | undefined;
}

/**
 * What a preview could not look at. Of that nothing may be said: neither that something is there, nor that it is absent,
 * so that whatever depends on it stays as it stands.
 */
export interface Unread {
  /** Whether the cluster was not asked at all (`KUBECAMP_OFFLINE`); else it refused to tell some of it. */
  readonly offline: boolean;
  /** Kinds of which nothing is known, each with the API server's words if it refused to tell. */
  readonly kinds: ReadonlyMap<Kind, string>;
  /** Logical names of what Pulumi's state has, by which things stand; undefined where it could not be told. */
  readonly last?: ReadonlySet<string> | undefined;
}

/** What is lost with a namespace, or stopped in it. */
export interface NamespaceContents {
  /** Pods that have neither succeeded nor failed, and will not be gone in a moment. */
  readonly pods: number;
  readonly claims: readonly Claim[];
}

/** A PersistentVolumeClaim. */
export interface Claim {
  readonly name: string;
  /** What it asks for, such as `10Gi`. */
  readonly storage: string;
}

/** An object's identity and whose it is. */
export interface LiveObject {
  readonly labels: Readonly<Record<string, string>>;
  /** Whether its deletion has begun. */
  readonly terminating: boolean;
  /** Of a Namespace: tells it from another that has its name. */
  readonly uid?: string | undefined;
}

/** A Gateway, as far as it decides whether routes lead anywhere. */
export interface LiveGateway extends LiveObject {
  /** Why no controller serves it, in its own words; undefined where one does. */
  readonly unprogrammed: string | undefined;
}

/** A Service, as far as it decides whether a route can lead to it. */
export interface LiveService extends LiveObject {
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  readonly type: string;
  /** `None` for a headless Service. */
  readonly clusterIP: string;
  readonly selector: Readonly<Record<string, string>>;
  /** Its TCP ports: no other leads to a website. */
  readonly ports: readonly number[];
  /** Names of all its ports, by `80/TCP`; empty for one without. */
  readonly portNames: Readonly<Record<string, string>>;
  /** Where they lead to, likewise: number or name of the pods' port. */
  readonly targetPorts: Readonly<Record<string, number | string>>;
  /** Ports that ready pods answer on; empty also where nobody's route depends on it (`endpointsMatter`). */
  readonly readyPorts: readonly ReadyPort[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  /** That there is so much in it that nothing can be added. */
  readonly isLarge?: true;
}

/**
 * A TCP port of pods that are ready, as an EndpointSlice has it.
 * @see https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/
 */
export interface ReadyPort {
  /** The name of the Service's port that leads there. */
  readonly name: string;
  /** The number at the pods. */
  readonly port: number;
}

/** Kinds whose objects guard members or open something to them: Services are kept beside them, as decisions look at those. */
export type ManagedKind = Exclude<StackKind, "Service">;

/** What an object is called, wherever in the cluster it is. */
export interface ObjectName {
  readonly kind: StackKind;
  readonly name: string;
  /** Undefined for a cluster-scoped object. */
  readonly namespace: string | undefined;
}

/**
 * An object with owner references.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/
 */
export interface OwnedObject extends ObjectName {
  readonly uid: string;
  readonly owners: readonly V1OwnerReference[];
}

/** An object and the field managers of the runs that have applied it. */
export interface AppliedObject {
  readonly uid: string;
  /** With the fields that each has applied, as `managedFields` has them. */
  readonly managers: ReadonlyMap<string, unknown>;
}

/** An object that guards or opens, as far as it can be told from what is declared. */
export interface ManagedObject {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  /** What the last run wrote into the annotation that tells what it applied. */
  readonly applied: string | undefined;
  /** All but its metadata, as the API server gives it: a quota's status says what is used. */
  readonly content: Readonly<Record<string, unknown>>;
  /** That its deletion has begun. */
  readonly terminating?: boolean;
  /** Of a kind that members write, that there is so much beside its data that nothing can be added. */
  readonly isLarge?: true;
}

/** Key of an object in a snapshot, and what messages call it. */
export const objectKey = (kind: ObjectName["kind"], name: string, namespace?: string) =>
  namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;

/** The same of an object by its name, and what messages call it. */
export const keyOf = ({ kind, name, namespace }: ObjectName) => objectKey(kind, name, namespace);

/** The other way round. No kind or namespace has a space or '/' in it, and no name a '/'. */
export function objectNameOf(key: string): ObjectName {
  const [, kind = "", namespace, name = ""] = /^(\S+) (?:([^/]+)\/)?(.*)$/s.exec(key) ?? [];
  return { kind: kind as ObjectName["kind"], name, namespace };
}

/** Key of a Service in a snapshot. */
export const serviceKey = (namespace: string, name: string) => `${namespace}/${name}`;

/** What a snapshot has of an object of a kind. */
export type Found<K extends StackKind = StackKind> = K extends "Service" ? LiveService : ManagedObject;

/**
 * An object as it is on the cluster; undefined where it is not there, or nobody could look. The watch knows all of a Service of
 * the stack's own.
 */
export function liveOf<K extends StackKind>(
  { kind, name, namespace }: ObjectName & { readonly kind: K },
  { managedObjects, services }: Pick<ClusterSnapshot, "managedObjects"> & Partial<Pick<ClusterSnapshot, "services">>,
): Found<K> | undefined {
  const live =
    managedObjects.get(objectKey(kind, name, namespace)) ??
    (kind === "Service" ? services?.get(serviceKey(namespace ?? "", name)) : undefined);
  return live as Found<K> | undefined;
}

/** All but its metadata; of a Service, decisions look at more than that. */
export const contentOf = (live: Found | undefined): ManagedObject["content"] =>
  live !== undefined && "content" in live ? live.content : {};
