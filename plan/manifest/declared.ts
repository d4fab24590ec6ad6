import { type ObjectName, objectKey } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfBucket, isOfRoute, isOfStarterApp } from "../../naming/logicalNames.ts";
import { starterKinds } from "../decisions/starter/names.ts";
import type { Declared } from "../objects/declared.ts";
import { isRead, memberObjects } from "./manifest.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** An object as a run declares it, but for the annotation that tells what was applied. */
export interface DeclaredObject {
  readonly kind: ObjectName["kind"];
  /** As `objectKey` has it. */
  readonly key: string;
  readonly args: Declared;
}

/** All that a run can declare of a member, in the order of what depends on what. */
export interface DeclaredObjects {
  /** What stands whether or not the route is open. */
  readonly base: readonly DeclaredObject[];
  /** What a starter app consists of when it is made, beside the Service; nothing for a member who is to have none. */
  readonly starter: readonly DeclaredObject[];
  /** What says in their namespace how their buckets are reached: of that, nothing but the metadata is watched. */
  readonly buckets: readonly DeclaredObject[];
  /** What the route consists of when it is open; nothing for a member who is to have none. */
  readonly route: readonly DeclaredObject[];
}

/**
 * @param hasStarter whether a starter app was made for them, as their role says
 * @param starterImage what that was made once with
 */
export function declaredOf(
  member: Member,
  settings: Settings,
  hasStarter = false,
  starterImage?: string,
): DeclaredObjects {
  const { mode = "kept" } = member.starter ?? {};
  const made = member.starter === undefined ? [] : starterKinds;
  const starter = { mode, made, left: [], service: "none", wasMade: false, marks: hasStarter } as const;
  const isOpen = member.route !== undefined;
  const objects = memberObjects({ member, settings, isOpen, starterImage, starter }).filter(isRead);
  const isBase = (object: ReadObject) => !isOfStarterApp(object) && !isOfBucket(object) && !isOfRoute(object);
  return {
    base: objects.filter(isBase).map((object) => declared(object)),
    starter: objects.filter(isOfStarterApp).map((object) => declared(object)),
    buckets: objects.filter(isOfBucket).map((object) => declared(object, metadataOf)),
    route: objects.filter(isOfRoute).map((object) => declared(object)),
  };
}

/**
 * What a stack has once, but for the Secret: whoever may watch Secrets may read them.
 * @param shared as it is planned
 */
export const sharedOf = (shared: readonly PlannedObject[]): DeclaredObject[] =>
  shared
    .filter(isRead)
    .filter(({ kind }) => kind !== "Secret")
    .map((object) => declared(object));

const wholeOf = ({ args }: ReadObject): Declared => args;
const metadataOf = ({ args: { metadata } }: ReadObject): Declared => ({ metadata });

/** Made when it is asked for: not everybody asks for all of it. */
const declared = (object: ReadObject, argsOf = wholeOf): DeclaredObject => ({
  kind: object.kind,
  key: objectKey(object.kind, object.name, object.namespace),
  get args() {
    return argsOf(object);
  },
});
