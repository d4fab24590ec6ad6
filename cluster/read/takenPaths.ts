import type { Settings } from "../../config/model/settings.ts";
import { stackLabel } from "../../naming/labels.ts";
import { urlsOf } from "./hostPaths.ts";
import type { ClusterSnapshot, ManagedObject } from "./snapshot.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "route">;

/**
 * Addresses that Ingresses and HTTPRoutes of other stacks (siblings among them) or of strangers have, each with the object's key: of two that have
 * the same one, the older gets the requests, and ingress-nginx refuses the younger.
 * @see https://gateway-api.sigs.k8s.io/reference/spec/#httprouterule
 */
export function takenPaths(managedObjects: ClusterSnapshot["managedObjects"], settings: OfStack): Map<string, string> {
  const kind = settings.route.kind === "ingress" ? "Ingress" : "HTTPRoute";
  const taken = new Map<string, string>();
  for (const [key, live] of managedObjects) {
    if (
      key.startsWith(`${kind} `) &&
      live.labels[stackLabel] !== settings.stack &&
      live.terminating !== true &&
      isServed(live, settings)
    ) {
      for (const url of urlsOf(live)) {
        taken.set(url, taken.get(url) ?? key);
      }
    }
  }
  return taken;
}

interface Attached {
  readonly ingressClassName?: string;
  readonly parentRefs?: readonly { readonly name: string }[];
}

/** Whether the controller or Gateway of members' routes may serve it: an Ingress without a class is anybody's. */
function isServed({ annotations, content }: ManagedObject, { route }: OfStack): boolean {
  const { ingressClassName, parentRefs = [] } = Object(content.spec) as Attached;
  if (route.kind === "gateway") {
    return parentRefs.some(({ name }) => name === route.gateway?.name);
  }
  return [undefined, route.className].includes(ingressClassName ?? annotations["kubernetes.io/ingress.class"]);
}
