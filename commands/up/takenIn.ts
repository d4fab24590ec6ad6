import { logicalName } from "../../cluster/kinds/liveObject.ts";
import { logicalNameIn, memberOf } from "../../naming/urns.ts";
import { anotherCluster } from "../../plan/membership/ownership.ts";
import { unrecorded } from "../../plan/membership/unrecorded.ts";
import { resourcesIn, withResources } from "../../runs/state/deployment.ts";
import { exported, replaceState } from "../../runs/state/stackState.ts";
import { ownObjects } from "../state/ownObjects.ts";
import { readObjects } from "../state/readObjects.ts";
import { resourcesOf } from "../state/resources.ts";
import type { OpenStack } from "./looking.ts";
import { knownState, type Look } from "./plan/knownState.ts";

/** A look, and names of members whose objects were added to the state. */
interface TakenIn {
  readonly look: Look;
  readonly members: readonly string[];
}

/**
 * Adds objects to Pulumi's state that a killed run made without recording them and that nobody is to have any more. The
 * next run then deletes them in its usual order, within the usual limits on removals.
 * @throws RunError when the cluster can't be read or the state can't be written
 */
export async function takenIn({ stack, configuration: { settings } }: OpenStack, look: Look): Promise<TakenIn> {
  const { root, resources } = look.state;
  // Objects on another cluster were not made by this stack's runs.
  const isOurs = root !== undefined && anotherCluster(settings, look.snapshot) === undefined;
  const unknownNames = isOurs ? unrecorded(look, new Set(resources.map(({ urn }) => logicalNameIn(urn)))) : [];
  if (root === undefined || unknownNames.length === 0) {
    return { look, members: [] };
  }
  const [objects, before] = await Promise.all([readObjects(settings, {}, look.list), exported(stack)]);
  const { named } = ownObjects(objects, settings);
  const isUnknown = new Set(unknownNames);
  const members = new Set(named.flatMap((each) => (isUnknown.has(logicalName(each)) ? (each.member ?? []) : [])));
  if (members.size === 0) {
    return { look, members: [] };
  }
  const known = new Set(resourcesIn(before).map(({ urn }) => urn));
  // Adds these members' other missing objects and the shared ones too, since the unwanted ones depend on them.
  const isMeant = (member: string | undefined) => member === undefined || members.has(member);
  const added = resourcesOf(named, root).filter(({ urn }) => !known.has(urn) && isMeant(memberOf(urn)));
  const after = withResources(before, added);
  await replaceState(stack, after);
  return { look: { ...look, state: knownState(after) }, members: [...members].sort() };
}
