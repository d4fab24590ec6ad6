import type { ClusterSnapshot, LiveObject } from "../../../cluster/read/snapshot.ts";
import { labelsOf } from "../samples.ts";
import { liveObject, serviceOf } from "./liveService.ts";

/** A live object of a member's, with more labels if a test is about them. */
export const owned = (name: string, labels: Record<string, string> = {}): LiveObject => ({
  labels: { ...labelsOf(name), ...labels },
  terminating: false,
});

export const managedObject = (name: string, content: Record<string, unknown> = {}) =>
  liveObject({ ...owned(name), content });

export const service = serviceOf;

/** A cluster on which nobody lives, and what a test adds to it. */
export const cluster = (more: Partial<ClusterSnapshot> = {}): ClusterSnapshot =>
  ({
    id: "1234",
    namespaces: new Map(),
    services: new Map(),
    managedObjects: new Map(),
    namespaceContents: new Map(),
    owned: new Map(),
    gateway: undefined,
    taken: undefined,
    domain: undefined,
    now: undefined,
    forgotten: undefined,
    unread: undefined,
    mutates: undefined,
    classes: undefined,
    copies: undefined,
    hardware: undefined,
    mayWrite: undefined,
    ...more,
  }) satisfies Record<keyof ClusterSnapshot, unknown>;

/** One on which these have a namespace each, and nothing else. */
export const inhabitedBy = (...names: string[]): ClusterSnapshot =>
  cluster({ namespaces: new Map(names.map((name) => [name, owned(name)])) });

export const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `kim-${String(index).padStart(4, "0")}`);
