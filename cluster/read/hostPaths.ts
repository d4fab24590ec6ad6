import { memberLabel, stackLabel, urlAnnotation } from "../../config/names/labels.ts";
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

/** Addresses that others' objects hold, with the objects' keys. Of two with one address, the older gets the requests. */
export function takenPaths(
  managedObjects: ClusterSnapshot["managedObjects"],
  settings: OfStack,
): Map<string, readonly string[]> {
  const servers = serversOf(settings);
  const taken = new Map<string, readonly string[]>();
  for (const [key, live] of managedObjects) {
    const isOthers = live.terminating !== true && !isOwn(key, live, settings);
    if (isOthers && servers.some((server) => isServedBy(key, live, server))) {
      for (const url of urlsOf(live)) {
        taken.set(url, [...(taken.get(url) ?? []), key]);
      }
    }
  }
  return taken;
}

/** Whoever copies an object copies its labels. */
function isOwn(key: string, { labels }: ManagedObject, { stack }: OfStack): boolean {
  const { name, namespace } = objectNameOf(key);
  return labels[stackLabel] === stack && [name, namespace].includes(labels[memberLabel]);
}

/** Whether one of those that serve members' paths serves an object's. */
export function isServedBy(
  key: string,
  { annotations, content }: ManagedObject,
  { route }: Pick<Settings, "route">,
): boolean {
  const { kind, namespace } = objectNameOf(key);
  const { door, isOfRoute } = stackKind(kind);
  return isOfRoute?.(route) === true && door?.isServed({ namespace, annotations, content }, route) === true;
}
