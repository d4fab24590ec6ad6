import * as pulumi from "@pulumi/pulumi";
import { isMap } from "../../config/model/maps.ts";

/** A resource as the program registers it, before Pulumi hears of it. */
export interface Registration {
  /** Pulumi's, such as `kubernetes:core/v1:Namespace`. */
  readonly type: string;
  /** The logical one, such as `bob/namespace`. */
  readonly name: string;
  readonly parent: ResourceKey | undefined;
  /** The provider that it names itself; undefined where it has its parent's. */
  readonly provider: ResourceKey | undefined;
  /** Whether it is there already, and only looked up. */
  readonly isRead: boolean;
  /** Places in it that Pulumi is told to leave as they are. */
  readonly ignored: readonly string[];
  /** What it is made after, as far as it says so; undefined where that can't be told yet. */
  readonly after: ReadonlySet<ResourceKey> | undefined;
  /** What it is to be, with `later` wherever a value is not known yet. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** A resource's type and logical name, such as `kubernetes:core/v1:Namespace bob/namespace`. */
export type ResourceKey = string;

export const resourceKey = ({ type, name }: Pick<Registration, "type" | "name">): ResourceKey => `${type} ${name}`;

/** Stands for a value that only another resource, or some other promise, will tell. */
export const later = Symbol("later");

/** Where in a value that stands, such as `spec.rules[0].host`. */
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

/** Reads registrations, and remembers them by the resources that later ones refer to. */
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

  /** Of what was there before the gate: never the key of anything that it knows. */
  #keyOf(resource: pulumi.Resource | undefined): ResourceKey | undefined {
    return resource === undefined ? undefined : (this.#keys.get(resource) ?? "unknown");
  }

  #after(dependsOn: pulumi.ResourceOptions["dependsOn"]): ReadonlySet<ResourceKey> | undefined {
    const all: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : dependsOn === undefined ? [] : [dependsOn];
    const keys = all.map((each) => (pulumi.Resource.isInstance(each) ? this.#keyOf(each) : undefined));
    return keys.every((key) => key !== undefined) ? new Set(keys) : undefined;
  }
}

/** A copy of lists, maps and plain values; what else there is, nobody can judge yet. */
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
