/**
 * The annotation by which Pulumi deletes an object at once. By default it deletes in the foreground: the object then stays,
 * and goes on working, until everything is gone that names it as its owner with `blockOwnerDeletion`. Members can see to it
 * that this is never, and a binding that is being deleted still binds.
 *
 * Nothing here depends on the default. What has to go in an order is deleted in that order, one after the other.
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#foreground-deletion
 */
export const goneAtOnce: Readonly<Record<string, string>> = { "pulumi.com/deletionPropagationPolicy": "background" };

/**
 * The annotation by which Pulumi goes on as soon as an object is written, and does not wait until it is ready.
 * @see https://www.pulumi.com/registry/packages/kubernetes/installation-configuration/#annotations
 */
export const notAwaited: Readonly<Record<string, string>> = { "pulumi.com/skipAwait": "true" };
