import * as pulumi from "@pulumi/pulumi";
import { isMap } from "../../config/model/maps.ts";

/** A resource as the program registers it, before Pulumi gets it. */
export interface Registration {
  /** Pulumi's type, such as `kubernetes:core/v1:Namespace`. */
  readonly type: string;
  /** Logical name, such as `bob/namespace`. */
  readonly name: string;
  readonly parent: ResourceKey | undefined;
  /** The resource's own provider; undefined if it inherits its parent's. */
  readonly provider: ResourceKey | undefined;
  /** Whether the resource exists already and is only looked up. */
  readonly isRead: boolean;
  /** Fields that Pulumi is to leave as they are (ignoreChanges). */
  readonly ignored: readonly string[];
  /** Declared dependencies; undefined while they are not all known. */
  readonly after: ReadonlySet<ResourceKey> | undefined;
  /** Inputs, with `later` for each value that is not known yet. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** A resource's type and logical name, such as `kubernetes:core/v1:Namespace bob/namespace`. */
export type ResourceKey = string;

export const resourceKey = ({ type, name }: Pick<Registration, "type" | "name">): ResourceKey => `${type} ${name}`;

/** Stands for a value from another resource or a pending promise. */
export const later = Symbol("later");

/** Fields of a value that are `later`, such as `spec.rules[0].host`. */
export function laterPlaces(value: unknown, at = ""): string[] {
  if (value === later) {
    return [at];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => laterPlaces(item, `${at}[${index}]`));
  }
  return isMap(value)
    ? Object.entries(value).flatMap(([key, inner]) => laterPlaces(inner, at === "" ? key : `${at}.${key}`))
    : [];
}

/** Reads registrations, and keeps their keys for later ones that refer to them. */
export class Registrations {
  readonly #keys = new WeakMap<object, ResourceKey>();

  read({ resource, type, name, props, opts }: pulumi.ResourceTransformationArgs): Registration {
    this.#keys.set(resource, resourceKey({ type, name }));
    const { parent, dependsOn, id, urn, ignoreChanges = [] } = opts;
    const provider = "provider" in opts ? opts.provider : undefined;
    return {
      type,
      name,
      parent: this.#keyOf(parent),
      provider: this.#keyOf(provider),
      isRead: id !== undefined || urn !== undefined,
      ignored: ignoreChanges,
      after: this.#after(dependsOn),
      args: Object(plain(props)),
    };
  }

  /** A resource from before the gate is "unknown", which equals no known key. */
  #keyOf(resource: pulumi.Resource | undefined): ResourceKey | undefined {
    return resource === undefined ? undefined : (this.#keys.get(resource) ?? "unknown");
  }

  #after(dependsOn: pulumi.ResourceOptions["dependsOn"]): ReadonlySet<ResourceKey> | undefined {
    const all: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : dependsOn === undefined ? [] : [dependsOn];
    const keys = all.map((each) => (pulumi.Resource.isInstance(each) ? this.#keyOf(each) : undefined));
    return keys.every((key) => key !== undefined) ? new Set(keys) : undefined;
  }
}

/** Copies lists, maps and plain values; other values become `later`, since nobody can judge them yet. */
function plain(value: unknown): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise || typeof value === "function") {
    return later;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (!isMap(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, plain(inner)]])),
  );
}
