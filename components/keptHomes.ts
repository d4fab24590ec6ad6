import { runtime } from "@pulumi/pulumi";
import { keptHomesOf, readKeptHomes } from "../cluster/read/keptHomes.ts";
import { reportProgress } from "../cluster/read/progress.ts";
import type { KeptHome } from "../config/model/members/keptHome.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import { isOffline } from "../config/sources/engine/offline.ts";
import { LastState } from "./lastState.ts";

/**
 * Recorded entries of members: from the cluster, or for an offline preview from Pulumi's state.
 * @throws RunError when the cluster can't be read
 */
export async function keptHomes(settings: Settings): Promise<readonly KeptHome[]> {
  if (!isOffline(process.env, runtime.isDryRun())) {
    return await readKeptHomes(settings, { notify: reportProgress });
  }
  const objects = await new LastState().content();
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
  return keptHomesOf(ofKind("Namespace"), ofKind("Role"), settings);
}
