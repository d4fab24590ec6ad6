import type { LastState } from "../../../components/lastState.ts";
import { isMap } from "../../../config/model/maps.ts";
import { type KnownObjects, objectsIn } from "../../../plan/decisions/unread/lastState.ts";
import type { Plan } from "../../../plan/plan.ts";
import {
  contentOf,
  type PendingOperation,
  resourcesIn,
  rootOf,
  type StackRoot,
  type State,
} from "../../../runs/state/deployment.ts";
import type { KnownResource } from "./changes.ts";

/** Pulumi's state of a stack. */
export interface KnownState {
  /** Undefined if no run has made the stack's provider yet. */
  readonly root: StackRoot | undefined;
  /** The provider's settings, each as text or as JSON. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** Settings of the provider for buckets, likewise; empty if no run has made it. */
  readonly storage: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** All resources except the stack and its providers. */
  readonly resources: readonly KnownResource[];
  /** Objects on the cluster that belong to `resources`. */
  readonly objects: KnownObjects;
  /** Operations of a killed run that no later one has finished. */
  readonly pending: readonly PendingOperation[];
}

/** Plan of a stack, with the state that Pulumi has of it. */
export interface Look extends Plan {
  readonly state: KnownState;
  /** The same state, for the run's own questions. */
  readonly last: LastState;
}

/** @param state as `pulumi stack export` gives it */
export function knownState(state: State): KnownState {
  const root = rootOf(state);
  const resources = resourcesIn(state) as readonly KnownResource[];
  const content = contentOf(state);
  const known = new Set(resources.map(({ urn }) => urn));
  const valuesOf = (urn: string | undefined, field: "inputs" | "outputs") => {
    const values = content.resources?.find((resource) => resource.urn === urn)?.[field];
    return isMap(values) ? values : {};
  };
  return {
    root,
    provider: valuesOf(root?.provider.urn, "inputs"),
    storage: valuesOf(root?.storage?.urn, "inputs"),
    outputs: valuesOf(root?.stack, "outputs"),
    resources,
    objects: objectsIn(resources),
    // Pulumi keeps a pending creation until somebody clears it, even if a later run has made the resource.
    pending: (content.pending_operations ?? []).filter(
      ({ type, resource }) => type !== "creating" || !known.has(resource.urn),
    ),
  };
}
