import type { Settings } from "../config/settings.ts";

/** The label whose value tells which member an object belongs to. */
export const memberLabel = "kubecamp.dev/member";
/** The label whose value tells which stack an object belongs to. */
export const stackLabel = "kubecamp.dev/stack";

/**
 * Labels of every object of a stack.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 */
export function stackLabels({ stack }: Pick<Settings, "stack">) {
  return {
    "app.kubernetes.io/managed-by": "kubecamp",
    "app.kubernetes.io/part-of": "kubecamp",
    [stackLabel]: stack,
  };
}

/** Labels of every object of a member. */
export function memberLabels(member: { readonly name: string }, settings: Pick<Settings, "stack">) {
  return {
    ...stackLabels(settings),
    "app.kubernetes.io/instance": member.name,
    [memberLabel]: member.name,
  };
}
