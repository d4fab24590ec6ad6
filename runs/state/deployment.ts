import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import type { StackRoot, StateResource } from "./resources.ts";

interface Content {
  readonly resources?: readonly StateResource[];
  readonly [field: string]: unknown;
}

const stackType = "pulumi:pulumi:Stack";
const providerType = "pulumi:providers:kubernetes";
const storageType = "pulumi:providers:kubecamp-buckets";

const contentOf = ({ deployment }: Pick<Deployment, "deployment">): Content => deployment ?? {};

/**
 * Resources of a state except the stack and its providers: a rebuild makes those first, and leaves them behind if it is
 * killed. If there are others, the state is not lost.
 */
export function resourcesIn(state: Pick<Deployment, "deployment">): readonly StateResource[] {
  const { resources = [] } = contentOf(state);
  return resources.filter(({ type }) => ![stackType, providerType, storageType].includes(type));
}

/** Parents and providers in a state; undefined without a stack or cluster provider. */
export function rootOf(state: Pick<Deployment, "deployment">): StackRoot | undefined {
  const { resources = [] } = contentOf(state);
  const stack = resources.find(({ type }) => type === stackType);
  const provider = resources.find(({ type }) => type === providerType);
  const storage = resources.find(({ type }) => type === storageType);
  return stack === undefined || provider === undefined
    ? undefined
    : { stack: stack.urn, provider, ...(storage && { storage }) };
}

/** Adds resources to a state; each must come after its dependencies. */
export function withResources(state: Deployment, added: readonly StateResource[]): Deployment {
  const content = contentOf(state);
  return { ...state, deployment: { ...content, resources: [...(content.resources ?? []), ...added] } };
}
