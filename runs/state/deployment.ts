import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { clusterProviderType, stackType, storageProviderType } from "../../naming/urns.ts";

/**
 * A resource in `pulumi stack export`, with the fields that kubecamp needs.
 * @see https://pkg.go.dev/github.com/pulumi/pulumi/sdk/v3/go/common/apitype#ResourceV3
 */
export interface StateResource {
  readonly urn: string;
  readonly custom: boolean;
  readonly type: string;
  readonly id?: string;
  readonly parent?: string;
  readonly [field: string]: unknown;
}

/** An operation that a killed run had started. */
export interface PendingOperation {
  readonly type: string;
  readonly resource: { readonly urn: string };
}

/** Parent and providers of a stack's resources. */
export interface StackRoot {
  /** URN of the stack itself. */
  readonly stack: string;
  /** Provider of the cluster. */
  readonly provider: Pick<StateResource, "urn" | "id">;
  /** Provider of the server of buckets; undefined if no run has made one. */
  readonly storage?: Pick<StateResource, "urn" | "id"> | undefined;
}

/** A state, as `pulumi stack export` gives it. */
export type State = Pick<Deployment, "deployment">;

interface Content<R> {
  readonly resources?: readonly R[];
  readonly pending_operations?: readonly PendingOperation[];
}

/** Content of a state; Pulumi's types leave it open. */
export const contentOf = <R = StateResource>({ deployment }: State): Content<R> => deployment ?? {};

/** Resources of a state except the stack and its providers. */
export function resourcesIn(state: State): readonly StateResource[] {
  const { resources = [] } = contentOf(state);
  return resources.filter(({ type }) => ![stackType, clusterProviderType, storageProviderType].includes(type));
}

/** Parents and providers in a state; undefined without a stack or cluster provider. */
export function rootOf(state: State): StackRoot | undefined {
  const { resources = [] } = contentOf(state);
  const stack = resources.find(({ type }) => type === stackType);
  const provider = resources.find(({ type }) => type === clusterProviderType);
  const storage = resources.find(({ type }) => type === storageProviderType);
  return stack === undefined || provider === undefined
    ? undefined
    : { stack: stack.urn, provider, ...(storage && { storage }) };
}
