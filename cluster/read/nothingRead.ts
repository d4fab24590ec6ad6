import { type Kind, kinds } from "../kinds/kinds.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/** What is known of a cluster that nobody has asked. */
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
