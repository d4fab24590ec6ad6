import type { Member, Settings } from "../../config/model/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Violation } from "./invariants.ts";
import type { Paths } from "./paths.ts";
import { later, type Registration, type ResourceKey } from "./registration.ts";
import { mapAt } from "./values.ts";

/** A Kubernetes object of a registration, as invariants look at it. */
export interface GateObject {
  readonly key: ResourceKey;
  readonly kind: string;
  readonly name: string;
  /** Undefined for what lies in none. */
  readonly namespace: string | undefined;
  readonly labels: Readonly<Record<string, unknown>>;
  /** All but what Pulumi knows of it, such as `spec` or `rules`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Whose environment it is part of; undefined for what the stack has once. */
  readonly member: Member | undefined;
  readonly after: ReadonlySet<ResourceKey> | undefined;
}

/** What an object is judged beside. */
export interface GateContext {
  readonly settings: Settings;
  /** What was registered before it. */
  readonly before: Objects;
  /** Those of everybody on the list, also of those whom the run does not target, and those that were registered before it. */
  readonly paths: Paths;
}

/** Objects by kind and owner. */
export class Objects {
  readonly #all = new Map<string, GateObject[]>();

  add(object: GateObject): void {
    const key = ownerKey(object.kind, object.member);
    const others = this.#all.get(key);
    if (others === undefined) {
      this.#all.set(key, [object]);
    } else {
      others.push(object);
    }
  }

  /** A member's, or without one the stack's own. */
  of(kind: string, member: Pick<Member, "name"> | undefined): readonly GateObject[] {
    return this.#all.get(ownerKey(kind, member)) ?? [];
  }
}

const ownerKey = (kind: string, member: Pick<Member, "name"> | undefined) => `${kind}/${member?.name ?? ""}`;

/** What one invariant says of one object. */
export type Judge = (object: GateObject, context: GateContext) => readonly Violation[];

/** The object of a registration that is a part of a member's environment, or of what the stack has once. */
export function objectOf({ type, name, args, after }: Registration, member: Member | undefined): GateObject {
  const metadata = mapAt(args, "metadata");
  // From the namespace itself, so that whatever becomes of it becomes of what lies in it.
  const home = member === undefined ? "?" : namespaceName(member);
  return {
    key: `${type} ${name}`,
    kind: String(args.kind ?? ""),
    name: String(metadata.name ?? ""),
    namespace: metadata.namespace === later ? home : (metadata.namespace as string | undefined),
    labels: mapAt(metadata, "labels"),
    args,
    member,
    after,
  };
}
