import type { MemberRoute } from "../../config/model/settings.ts";
import { urlAnnotation } from "../../naming/labels.ts";
import { routeUrl } from "../../naming/names.ts";
import type { DoorReading } from "../kinds/doors.ts";
import { doorKinds, stackKinds } from "../kinds/stackKinds.ts";
import type { ManagedObject } from "./snapshot.ts";

/** No two say it in the same fields, so that nobody needs to ask of which kind an object is. */
const readings: readonly DoorReading[] = doorKinds.flatMap((kind) => stackKinds[kind].door ?? []);

const specOf = (content: object) => Object(Reflect.get(content, "spec")) as Readonly<Record<string, unknown>>;

/** The hosts and paths that an object opens, whoever made it; the host `*` stands for all. */
export const hostPathsOf = (content: object): MemberRoute[] =>
  readings.flatMap(({ hostPaths }) => hostPaths(specOf(content)));

/** Port of the Service that it leads to; undefined where it names none. */
export function backendPortOf(content: object): number | undefined {
  const [first] = readings.flatMap(({ backends }) => backends(specOf(content)));
  return typeof first?.port === "object" ? first.port.number : first?.port;
}

/** Why nobody serves it, in a sentence; undefined where somebody does, or has not said yet. */
export const unservedOf = (content: object): string | undefined =>
  readings.map(({ unserved }) => unserved?.(content)).find((why) => why !== undefined);

/** The addresses that it opens: the one that it is annotated with, or else what its hosts and paths say. */
export function urlsOf({ annotations, content }: Pick<ManagedObject, "annotations" | "content">): string[] {
  const url = annotations[urlAnnotation];
  return url === undefined ? hostPathsOf(content).map(routeUrl) : [url];
}
