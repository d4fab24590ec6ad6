import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { cosiTypes, isCosiKind } from "../cluster/kinds/cosi.ts";
import { logicalName } from "../cluster/kinds/liveObject.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { keptOptions, linksOf } from "../plan/manifest/manifest.ts";
import type { PlannedObject, ReadObject } from "../plan/manifest/row.ts";
import { saidOf } from "../plan/manifest/said.ts";
import type { Declared } from "../plan/objects/declared.ts";

/** What objects are registered with. */
export interface Registry {
  readonly parent: pulumi.ComponentResource;
  /** What the name of each begins with: `bob` of `bob/limits`; undefined for what members share. */
  readonly member: string | undefined;
  /** What there is by now, by its part: what members share, and what the member has. */
  readonly resources: ReadonlyMap<string, pulumi.Resource>;
  readonly drift: Drift;
}

/** Of an object that is not registered just as it is planned. */
export interface Said extends pulumi.CustomResourceOptions {
  readonly declared?: Declared;
}

/**
 * Registers an object of the plan: as its row in plan/manifest has it, after what its row comes after, and with the mark of
 * what is applied, by which the next run sees what was changed by hand.
 * @param declared what is said of it; default: all that is planned
 */
export function register(
  object: PlannedObject,
  { parent, member, resources, drift }: Registry,
  { declared = saidOf(object, drift), ...more }: Said = {},
): pulumi.CustomResource {
  const { part, kind, apiVersion, left } = object;
  const { after, lifetime } = linksOf(part, [...resources.keys()]);
  const home = resources.get("namespace");
  const isInside = lifetime !== "own" && home instanceof k8s.core.v1.Namespace;
  const namespace = isInside ? { namespace: home.metadata.name } : {};
  const args = { ...declared, metadata: { ...declared.metadata, ...namespace } };
  const opts: pulumi.CustomResourceOptions = {
    parent,
    dependsOn: after.flatMap((each) => resources.get(each) ?? []),
    ...(lifetime === "withNamespace" && home !== undefined ? { deletedWith: home } : {}),
    ...keptOptions(part, declared.metadata, left),
    ...runOptions(object, drift),
    ...more,
  };
  const name = logicalName({ member, part });
  const Class = classOf(object);
  return Class === undefined
    ? new k8s.apiextensions.CustomResource(name, { apiVersion, kind, ...args }, opts)
    : new Class(name, args as never, opts);
}

/** What matters while Pulumi runs, and is not kept in its state. */
function runOptions(object: PlannedObject, drift: Drift): pulumi.CustomResourceOptions {
  const { kind, left, replaced, isDeletable } = object;
  if (isCosiKind(kind)) {
    // With another version it stays the same: as another resource it would be deleted after the change.
    return { aliases: cosiTypes(kind).map((type) => ({ type })) };
  }
  if (replaced !== undefined || !isDeletable || left.length > 0) {
    return { ...replaced };
  }
  // The plugin changes only what is there: where the member has deleted an object that Pulumi's state has, a run that declares
  // anything else of it would fail, for everybody. So then it is made anew.
  return drift.of(object as ReadObject).standing === "toMake"
    ? { replaceOnChanges: ["*"], deleteBeforeReplace: true }
    : {};
}

type Class = new (name: string, args: never, opts: pulumi.CustomResourceOptions) => pulumi.CustomResource;
type Classes = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Class>>>> | undefined>>;

/** The SDK's class for a kind, if it has one: the plugin knows by the type how its objects become ready. */
function classOf({ apiVersion, kind }: Pick<PlannedObject, "apiVersion" | "kind">): Class | undefined {
  const [group = "", version = ""] = apiVersion === "v1" ? ["core", apiVersion] : apiVersion.split("/");
  const [module = ""] = group.split(".");
  return (k8s as unknown as Classes)[module]?.[version]?.[kind];
}
