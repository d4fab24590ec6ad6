import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { cosiTypes, isCosiKind } from "../cluster/kinds/bucketKinds.ts";
import { logicalName } from "../cluster/kinds/liveObject.ts";
import { isCustomKind, manifestKind, otherVersions } from "../config/names/customKinds.ts";
import { typeOf } from "../config/names/urns.ts";
import type { Declared } from "../objects/declared.ts";
import type { Drift } from "../plan/live/drift.ts";
import { keptOptions, linksOf } from "../plan/rows/order.ts";
import type { PlannedObject, ReadObject } from "../plan/rows/row.ts";

export interface Registry {
  readonly parent: pulumi.ComponentResource;
  readonly member: string | undefined;
  readonly resources: ReadonlyMap<string, pulumi.Resource>;
  readonly drift: Drift;
}

export interface RegisterOptions extends pulumi.CustomResourceOptions {
  readonly declared?: Declared;
}

/** With the options and links of its row. Adds the applied values, by which the next run sees changes by hand. */
export function register(
  object: PlannedObject,
  { parent, member, resources, drift }: Registry,
  { declared = drift.declared(object), ...more }: RegisterOptions = {},
): pulumi.CustomResource {
  const { part, kind, apiVersion, ignored } = object;
  const { after, lifetime } = linksOf(part, [...resources.keys()]);
  const home = resources.get("namespace");
  const isInside = lifetime !== "own" && home instanceof k8s.core.v1.Namespace;
  const namespace = isInside ? { namespace: home.metadata.name } : {};
  const args = { ...declared, metadata: { ...declared.metadata, ...namespace } };
  const opts: pulumi.CustomResourceOptions = {
    parent,
    dependsOn: after.flatMap((each) => resources.get(each) ?? []),
    ...(lifetime === "withNamespace" && home !== undefined ? { deletedWith: home } : {}),
    ...keptOptions(part, declared.metadata, ignored),
    ...runOptions(object, drift),
    ...more,
  };
  const name = logicalName({ member, part });
  const Class = classOf(object);
  return Class === undefined
    ? new k8s.apiextensions.CustomResource(name, { apiVersion, kind: manifestKind(kind), ...args }, opts)
    : new Class(name, args as never, opts);
}

function runOptions(object: PlannedObject, drift: Drift): pulumi.CustomResourceOptions {
  const { kind } = object;
  if (isCosiKind(kind)) {
    // Another API version must stay the same resource: Pulumi would delete the old one after the change.
    return { aliases: cosiTypes(kind).map((type) => ({ type })) };
  }
  if (isCustomKind(kind)) {
    // As above: the settings may name another version.
    const aliases = otherVersions(kind).map((apiVersion) => ({ type: typeOf({ apiVersion, kind }) }));
    return { aliases, ...ifDeleted(object, drift) };
  }
  return ifDeleted(object, drift);
}

function ifDeleted(object: PlannedObject, drift: Drift): pulumi.CustomResourceOptions {
  const { ignored, replaced, isDeletable } = object;
  if (replaced !== undefined || !isDeletable || ignored.length > 0) {
    return { ...replaced };
  }
  // The plugin only updates objects that exist. If a member has deleted one that Pulumi's state has, a run that changes
  // it would fail for everybody, so replace it instead.
  return drift.of(object as ReadObject).standing === "toMake"
    ? { replaceOnChanges: ["*"], deleteBeforeReplace: true }
    : {};
}

type Class = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.CustomResource;
type Classes = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Class>>>> | undefined>>;

/** The SDK's class for a kind, if it has one. The type tells the plugin how to wait for such objects. */
function classOf({ apiVersion, kind }: Pick<PlannedObject, "apiVersion" | "kind">): Class | undefined {
  const [group = "", version = ""] = apiVersion === "v1" ? ["core", apiVersion] : apiVersion.split("/");
  const [module = ""] = group.split(".");
  return (k8s as unknown as Classes)[module]?.[version]?.[kind];
}
