import { type Kind, kinds } from "../kinds/kinds.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/** The snapshot of a cluster that was not read. */
export function nothingRead(): ClusterSnapshot {
  return {
    id: "",
    namespaces: new Map(),
    services: new Map(),
    gateway: undefined,
    managedObjects: new Map(),
    owned: new Map(),
    namespaceContents: new Map(),
    unread: { offline: true, kinds: new Map(Object.keys(kinds).map((kind) => [kind as Kind, ""])) },
  };
}
