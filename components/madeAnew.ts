import type * as pulumi from "@pulumi/pulumi";
import type { ManagedKind } from "../cluster/read/snapshot.ts";
import type { Declared } from "../plan/compare/difference.ts";
import type { Drift } from "../plan/compare/drift.ts";

/**
 * Options for what members can delete. The plugin changes only what is there: where somebody has deleted an object that
 * Pulumi's state has, a run that declares anything else of it would fail, for everybody. So then it is made anew.
 */
export function madeAnew(kind: ManagedKind, declared: Declared, drift: Drift): pulumi.CustomResourceOptions {
  return drift.of(kind, declared).standing === "toMake" ? { replaceOnChanges: ["*"], deleteBeforeReplace: true } : {};
}
