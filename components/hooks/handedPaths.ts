import * as pulumi from "@pulumi/pulumi";
import { doorKinds } from "../../cluster/kinds/stackKinds.ts";
import { giveUpPaths } from "../../cluster/write/giveUpPath.ts";
import type { Settings } from "../../config/model/settings.ts";
import { appliedAnnotation } from "../../naming/labels.ts";
import { handoverHookName } from "../../naming/logicalNames.ts";
import type { HandedPaths } from "../../plan/routes/handedPaths.ts";

/** By name of a member who gets a path that another has, what Pulumi asks before it writes their Ingress. */
export type Handovers = ReadonlyMap<string, pulumi.ResourceHook>;

/**
 * Sees to it that who gives a path up goes before who gets it. To be called before anything is registered, and after the
 * policy gate, which judges what is known.
 * @returns none in a preview, which writes nothing
 */
export function handPathsOver(handed: HandedPaths, settings: Settings): Handovers {
  if (pulumi.runtime.isDryRun()) {
    tryLater(handed);
    return new Map();
  }
  return handovers(handed, settings);
}

/**
 * Has Ingresses give up their paths just before the one is written that gets it: whatever fails before that, or is no target
 * of the run, closes nothing. Those that stay, the run applies again as they are declared, class and all; the others it
 * deletes. Should it be killed in between, the next one finds them changed by hand.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/hooks/
 */
function handovers({ given }: HandedPaths, settings: Settings): Handovers {
  if (given.length === 0) {
    return new Map();
  }
  const byTaker = Map.groupBy(given, ({ taker }) => taker);
  const hook = new pulumi.ResourceHook(handoverHookName, async ({ name }) => {
    await giveUpPaths(byTaker.get(name.split("/")[0] ?? "") ?? [], settings);
  });
  return new Map([...byTaker.keys()].map((taker) => [taker, hook]));
}

/**
 * Has a preview not try what gets a path that an Ingress still has: the webhook would refuse it, and an up only tries once
 * that is given up. The plugin tries nothing that has an unknown value.
 */
function tryLater({ takers }: HandedPaths): void {
  if (takers.size === 0) {
    return;
  }
  pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => {
    const [member = ""] = name.split("/");
    const isTaken = doorKinds.some((kind) => type.endsWith(`:${kind}`)) && takers.has(member);
    return { props: isTaken ? withUnknown(props) : props, opts };
  });
}

/** The annotation that tells what was applied is another one after each change. */
function withUnknown(props: pulumi.Inputs): pulumi.Inputs {
  const metadata = { ...props.metadata };
  const annotations = { ...metadata.annotations, [appliedAnnotation]: pulumi.output(pulumi.unknown) };
  return { ...props, metadata: { ...metadata, annotations } };
}
