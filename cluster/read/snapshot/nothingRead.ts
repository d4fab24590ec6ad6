import { customKindsIn } from "../../../config/objects/objectKinds.ts";
import type { Settings } from "../../../config/settings.ts";
import { type Kind, kinds } from "../../kinds/kinds.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/**
 * The snapshot of a cluster that was not read.
 * @param settings the stack's, for its custom kinds. Default: none
 */
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
