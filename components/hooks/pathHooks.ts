import * as pulumi from "@pulumi/pulumi";
import { doorKinds } from "../../cluster/kinds/stackKinds.ts";
import { giveUpPaths } from "../../cluster/write/giveUpPath.ts";
import { appliedAnnotation } from "../../config/names/labels.ts";
import { pathHookName } from "../../config/names/logicalNames.ts";
import type { Settings } from "../../config/settings.ts";
import type { PathTransfers } from "../../plan/members/pathTransfers.ts";

export type PathHooks = ReadonlyMap<string, pulumi.ResourceHook>;

/**
 * Has a path given up just before the new owner's route is written: if the run fails earlier or does not target them, no
 * path closes. The run then applies an Ingress that stays as declared, class included, and deletes the others. If it is
 * killed in between, the next run sees a change by hand. Call it before anything is registered.
 */
export function transferPaths(transfers: PathTransfers, settings: Settings): PathHooks {
  if (pulumi.runtime.isDryRun()) {
    tryLater(transfers);
    return new Map();
  }
  if (transfers.given.length === 0) {
    return new Map();
  }
  const byTaker = Map.groupBy(transfers.given, ({ taker }) => taker);
  const hook = new pulumi.ResourceHook(pathHookName, async ({ name }) => {
    await giveUpPaths(byTaker.get(name.split("/")[0] ?? "") ?? [], settings);
  });
  return new Map([...byTaker.keys()].map((taker) => [taker, hook]));
}

/** A preview can't try a path that an Ingress still has: the webhook refuses it. The plugin tries nothing unknown. */
function tryLater({ takers }: PathTransfers): void {
  if (takers.size === 0) {
    return;
  }
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    const [member = ""] = name.split("/");
    const isTaken = doorKinds.some((kind) => type.endsWith(`:${kind}`)) && takers.has(member);
    return { props: isTaken ? withUnknown(props) : props, opts };
  });
}

/** Uses the annotation with the applied values, since it differs after each change anyway. */
function withUnknown(props: pulumi.Inputs): pulumi.Inputs {
  const metadata = { ...props.metadata };
  const annotations = { ...metadata.annotations, [appliedAnnotation]: pulumi.output(pulumi.unknown) };
  return { ...props, metadata: { ...metadata, annotations } };
}
