import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { isMap } from "../../config/model/maps.ts";
import { type KnownObjects, objectsIn } from "../../plan/decisions/unread/lastState.ts";
import { type PendingOperation, unfinished } from "../../runs/unfinished.ts";
import { resourcesIn, rootOf } from "../state/deployment.ts";
import type { StackRoot } from "../state/resources.ts";
import type { KnownResource } from "./changes.ts";

/** What Pulumi's state knows of a stack. */
export interface KnownState {
  /** Undefined where no run has made the stack's provider yet. */
  readonly root: StackRoot | undefined;
  /** The provider's settings, each as text or as JSON. */
  readonly provider: Readonly<Record<string, unknown>>;
  /** Likewise those of the server of buckets; empty where no run has made its provider. */
  readonly storage: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** All but the stack itself and its providers. */
  readonly resources: readonly KnownResource[];
  /** What those have of the cluster. */
  readonly objects: KnownObjects;
  /** What a run had begun with that was killed, as far as no later one has finished it. */
  readonly pending: readonly PendingOperation[];
}

/** @param state as `pulumi stack export` gives it */
export function knownState(state: Pick<Deployment, "deployment">): KnownState {
  const root = rootOf(state);
  const resources = resourcesIn(state) as readonly KnownResource[];
  const content: Content = state.deployment ?? {};
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
    pending: unfinished(content.pending_operations, (urn) => known.has(urn)),
  };
}

interface Content {
  readonly resources?: readonly KnownResource[];
  readonly pending_operations?: readonly PendingOperation[];
}
