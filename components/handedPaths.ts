import * as pulumi from "@pulumi/pulumi";
import { withApiServer } from "../cluster/apiServer/client.ts";
import { forEachOf } from "../cluster/apiServer/forEachOf.ts";
import { findTarget } from "../cluster/apiServer/kubeconfig.ts";
import { appliedAnnotation, parkedClass } from "../cluster/drift.ts";
import { type HandedPaths, handedPaths } from "../cluster/handedPaths.ts";
import { objectPath } from "../cluster/kinds.ts";
import { tellProgress } from "../cluster/progress.ts";
import type { ClusterSnapshot } from "../cluster/snapshot.ts";
import type { Aim } from "../config/aim.ts";
import type { Member, Settings } from "../config/settings.ts";

/**
 * Sees to it that who gives a path up goes before who gets it. To be called before anything is registered, and after the
 * policy gate, which judges what is known.
 * @param list all members
 * @throws RunError when an Ingress can't be changed
 */
export async function handPathsOver(
  list: readonly Member[],
  aim: Aim,
  settings: Settings,
  snapshot: ClusterSnapshot,
): Promise<void> {
  const handed = handedPaths(list, aim, settings, snapshot);
  if (pulumi.runtime.isDryRun()) {
    tryLater(handed);
  } else {
    await giveUpPaths(handed, settings);
  }
}

/**
 * Has Ingresses give up their paths before anything is registered, by taking them out of the controller's class: those
 * that stay, the run applies again as they are declared, class and all; the others it deletes. Should it be killed before,
 * the next one finds them changed by hand.
 */
async function giveUpPaths({ givers }: HandedPaths, { cluster }: Settings): Promise<void> {
  if (givers.length === 0) {
    return;
  }
  await withApiServer(findTarget(cluster.context), { tell: tellProgress }, async (api) => {
    await forEachOf(givers, (object) =>
      api.write({
        what: `have Ingress '${object.namespace}/${object.name}' give up its path to another member`,
        method: "PATCH",
        path: objectPath(object),
        contentType: "application/merge-patch+json",
        body: { spec: { ingressClassName: parkedClass } },
      }),
    );
  });
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
    const isTaken = type.endsWith(":Ingress") && takers.has(member);
    return { props: isTaken ? withUnknown(props) : props, opts };
  });
}

/** The annotation that tells what was applied is another one after each change. */
function withUnknown(props: pulumi.Inputs): pulumi.Inputs {
  const metadata = { ...props.metadata };
  const annotations = { ...metadata.annotations, [appliedAnnotation]: pulumi.output(pulumi.unknown) };
  return { ...props, metadata: { ...metadata, annotations } };
}
