import { stackLabel, urlAnnotation } from "../../config/names/labels.ts";
import { routeUrl } from "../../config/names/names.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import type { DoorReading } from "../kinds/doors.ts";
import { objectNameOf } from "../kinds/objectName.ts";
import { doorKinds, stackKind, stackKinds } from "../kinds/stackKinds.ts";
import type { ClusterSnapshot, ManagedObject } from "./snapshot.ts";

/** Kinds use different fields for paths, so all readings can be tried without knowing an object's kind. */
const readings: readonly DoorReading[] = doorKinds.flatMap((kind) => stackKinds[kind].door ?? []);

const specOf = (content: object) => Object(Reflect.get(content, "spec")) as Readonly<Record<string, unknown>>;

export const hostPathsOf = (content: object): MemberRoute[] =>
  readings.flatMap(({ hostPaths }) => hostPaths(specOf(content)));

export const unservedOf = (content: object): string | undefined =>
  readings.map(({ unserved }) => unserved?.(content)).find((why) => why !== undefined);

/** Addresses that an object opens: its annotation, or else its hosts and paths. */
export function urlsOf({ annotations, content }: Pick<ManagedObject, "annotations" | "content">): string[] {
  const url = annotations[urlAnnotation];
  return url === undefined ? hostPathsOf(content).map(routeUrl) : [url];
}

type OfStack = Pick<Settings, "stack" | "shards" | "route">;

/** Addresses that others' objects hold, with the object's key. Of two with one address, the older gets the requests. */
export function takenPaths(managedObjects: ClusterSnapshot["managedObjects"], settings: OfStack): Map<string, string> {
  const taken = new Map<string, string>();
  for (const [key, live] of managedObjects) {
    if (live.labels[stackLabel] !== settings.stack && live.terminating !== true && isServed(key, live, settings)) {
      for (const url of urlsOf(live)) {
        taken.set(url, taken.get(url) ?? key);
      }
    }
  }
  return taken;
}

function isServed(key: string, { annotations, content }: ManagedObject, settings: OfStack): boolean {
  const { kind, namespace } = objectNameOf(key);
  const { door, isOfRoute } = stackKind(kind);
  return serversOf(settings).some(
    ({ route }) => isOfRoute?.(route) === true && door?.isServed({ namespace, annotations, content }, route) === true,
  );
}
