import type { Settings } from "../../../config/model/settings/settings.ts";
import { stackLabel } from "../../../naming/labels.ts";
import { doorKinds, isOfRoute, stackKind } from "../../kinds/stackKinds.ts";
import { type ClusterSnapshot, type ManagedObject, objectNameOf } from "../snapshot/snapshot.ts";
import { urlsOf } from "./hostPaths.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "route">;

/**
 * Addresses that objects of other stacks (siblings included) or strangers hold, each with the object's key. If two
 * objects have one address, the older gets the requests, and ingress-nginx refuses the younger.
 * @see https://gateway-api.sigs.k8s.io/reference/spec/#httprouterule
 */
export function takenPaths(managedObjects: ClusterSnapshot["managedObjects"], settings: OfStack): Map<string, string> {
  const kinds = doorKinds.filter((kind) => isOfRoute(kind, settings));
  const taken = new Map<string, string>();
  for (const [key, live] of managedObjects) {
    if (
      kinds.some((kind) => key.startsWith(`${kind} `)) &&
      live.labels[stackLabel] !== settings.stack &&
      live.terminating !== true &&
      isServed(key, live, settings)
    ) {
      for (const url of urlsOf(live)) {
        taken.set(url, taken.get(url) ?? key);
      }
    }
  }
  return taken;
}

function isServed(key: string, { annotations, content }: ManagedObject, { route }: OfStack): boolean {
  const { door } = stackKind(objectNameOf(key).kind);
  return door?.isServed({ annotations, spec: Object(content.spec) }, route) === true;
}
