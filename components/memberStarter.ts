import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Member, Settings } from "../config/model/settings.ts";
import { logicalNames } from "../naming/logicalNames.ts";
import type { Declared, Drift } from "../plan/compare/drift.ts";
import { type StarterKind, starterParts } from "../plan/decisions/starter/names.ts";
import type { StarterPlan } from "../plan/decisions/starter/plan.ts";
import { type StarterObject, starterObjects } from "../plan/objects/starter/starterObjects.ts";
import { madeAnew } from "./madeAnew.ts";
import { additionTo } from "./starterAdditions.ts";

/** What a starter app is made from. */
export interface StarterArgs {
  readonly member: Member;
  readonly plan: StarterPlan;
  readonly settings: Settings;
  readonly drift: Drift;
  /** Logical names of what is not made. Default: everything is. */
  readonly gone?: ReadonlySet<string> | undefined;
}

/** Where it is made, and after what: what guards the member guards these pods as well. */
export interface StarterPlace {
  readonly parent: pulumi.Resource;
  readonly home: k8s.core.v1.Namespace;
  readonly dependsOn: readonly pulumi.Resource[];
}

/**
 * Makes a member's starter app, as far as the run is to make it, and registers what it leaves as it stands, so that
 * Pulumi's state goes on having it. What is kept is put back; what is the member's stays, whatever becomes of its declaration.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/retainondelete/
 */
export function memberStarter(
  { member, plan, settings, drift, gone }: StarterArgs,
  { parent, home, dependsOn }: StarterPlace,
): pulumi.Resource[] {
  const made: pulumi.Resource[] = [];
  for (const { kind, args, left, stays } of starterObjects(member, plan, settings, drift.guards)) {
    const name = logicalNames.starter(member, starterParts[kind]);
    if (gone?.has(name)) {
      continue;
    }
    const marked = stays ? args : markedOf({ kind, args }, drift);
    const opts = {
      parent,
      deletedWith: home,
      dependsOn: [...dependsOn, ...made],
      ...(stays ? { retainOnDelete: true } : {}),
      ...(left.length === 0 ? madeAnew(kind, args, drift) : { ignoreChanges: [...left] }),
    };
    const metadata = { ...marked.metadata, namespace: home.metadata.name };
    made.push(make(kind, name, { ...marked, metadata }, opts));
  }
  return made;
}

/** In a preview nothing is taken off, and the API server might not even try to have both. */
function markedOf(object: Pick<StarterObject, "kind" | "args">, drift: Drift): Declared {
  const marked = drift.marked(object.kind, object.args);
  const isUntriable = pulumi.runtime.isDryRun() && additionTo(object, drift) !== undefined;
  return isUntriable ? drift.kept(object.kind, object.args) : marked;
}

function make(
  kind: StarterKind,
  name: string,
  args: Omit<Declared, "metadata"> & { readonly metadata: object },
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  return kind === "ConfigMap"
    ? new k8s.core.v1.ConfigMap(name, args, opts)
    : new k8s.apps.v1.Deployment(name, args as unknown as k8s.apps.v1.DeploymentArgs, opts);
}
