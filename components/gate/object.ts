import { kindIn } from "../../cluster/kinds/kinds.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Violation } from "./invariants.ts";
import type { Paths } from "./paths.ts";
import { later, type Registration, type ResourceKey } from "./registration.ts";
import { mapAt } from "./values.ts";

/** A registered Kubernetes object, in the form that invariants judge. */
export interface GateObject {
  readonly key: ResourceKey;
  readonly kind: string;
  readonly name: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly labels: Readonly<Record<string, unknown>>;
  /** The resource's inputs, such as `spec` or `rules`. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Owner of the environment; undefined for the stack's shared objects. */
  readonly member: Member | undefined;
  readonly after: ReadonlySet<ResourceKey> | undefined;
}

/** Facts that an object is judged against. */
export interface GateContext {
  readonly settings: Settings;
  /** Objects registered earlier. */
  readonly before: Objects;
  /**
   * Paths of all members on the list, also of those outside the run's targets, and of objects registered earlier.
   */
  readonly paths: Paths;
}

/** Objects by kind and owner. */
export class Objects {
  readonly #all = new Map<string, GateObject[]>();
  readonly #earlier = new Map<ResourceKey, ReadonlySet<ResourceKey>>();

  add(object: GateObject): void {
    this.follow(object);
    const key = ownerKey(object.kind, object.member);
    const others = this.#all.get(key);
    if (others === undefined) {
      this.#all.set(key, [object]);
    } else {
      others.push(object);
    }
  }

  /** Remembers what an object is made after, for those made after it. */
  follow(object: GateObject): void {
    this.#earlier.set(object.key, this.earlierThan(object));
  }

  /** All that an object is made after: its dependencies, and theirs. */
  earlierThan({ after = new Set() }: Pick<GateObject, "after">): ReadonlySet<ResourceKey> {
    return new Set([...after].flatMap((key) => [key, ...(this.#earlier.get(key) ?? [])]));
  }

  /** Objects of a member, or without one the stack's own. */
  of(kind: string, member: Pick<Member, "name"> | undefined): readonly GateObject[] {
    return this.#all.get(ownerKey(kind, member)) ?? [];
  }
}

const ownerKey = (kind: string, member: Pick<Member, "name"> | undefined) => `${kind}/${member?.name ?? ""}`;

/** One invariant, applied to one object. */
export type Judge = (object: GateObject, context: GateContext) => readonly Violation[];

/** The Kubernetes object of a registration in a member's environment or in the stack's shared part. */
export function objectOf({ type, name, args, after }: Registration, member: Member | undefined): GateObject {
  const metadata = mapAt(args, "metadata");
  // The value comes from the namespace resource itself, so that its replacement takes along the objects in it.
  const home = member === undefined ? "?" : namespaceName(member);
  return {
    key: `${type} ${name}`,
    kind: kindIn(args.apiVersion, String(args.kind ?? "")),
    name: String(metadata.name ?? ""),
    namespace: metadata.namespace === later ? home : (metadata.namespace as string | undefined),
    labels: mapAt(metadata, "labels"),
    args,
    member,
    after,
  };
}
