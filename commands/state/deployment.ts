import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import type { StackRoot, StateResource } from "./resources.ts";

/** What a state consists of, as far as it takes. */
interface Content {
  readonly resources?: readonly StateResource[];
  readonly [field: string]: unknown;
}

const stackType = "pulumi:pulumi:Stack";
const providerType = "pulumi:providers:kubernetes";
const storageType = "pulumi:providers:kubecamp-buckets";

const contentOf = ({ deployment }: Pick<Deployment, "deployment">): Content => deployment ?? {};

/**
 * The resources of a state that is not lost: whatever it has beside the stack itself and its providers, which a rebuild makes
 * first and which one that was killed leaves behind.
 */
export function resourcesIn(state: Pick<Deployment, "deployment">): readonly StateResource[] {
  const { resources = [] } = contentOf(state);
  return resources.filter(({ type }) => ![stackType, providerType, storageType].includes(type));
}

/** Where resources hang in a state that has the stack and its provider; undefined if it has not. */
export function rootOf(state: Pick<Deployment, "deployment">): StackRoot | undefined {
  const { resources = [] } = contentOf(state);
  const stack = resources.find(({ type }) => type === stackType);
  const provider = resources.find(({ type }) => type === providerType);
  const storage = resources.find(({ type }) => type === storageType);
  return stack === undefined || provider === undefined
    ? undefined
    : { stack: stack.urn, provider, ...(storage && { storage }) };
}

/** A state with more resources in it; each must stand after all that it depends on. */
export function withResources(state: Deployment, added: readonly StateResource[]): Deployment {
  const content = contentOf(state);
  return { ...state, deployment: { ...content, resources: [...(content.resources ?? []), ...added] } };
}
