/**
 * The annotation that makes Pulumi delete an object in the background, at once. Its default is the foreground: the object
 * stays, and goes on working, until every object is gone that names it as its owner with `blockOwnerDeletion`. Members can
 * prevent that forever, and a binding that is being deleted still binds.
 *
 * Nothing here depends on the default: Pulumi deletes ordered objects one after the other.
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#foreground-deletion
 */
export const goneAtOnce: Readonly<Record<string, string>> = { "pulumi.com/deletionPropagationPolicy": "background" };

/**
 * The annotation that makes Pulumi go on once an object is written, without waiting until it is ready. A Namespace and the
 * usual workloads are not waited for when they are deleted either.
 * @see https://www.pulumi.com/registry/packages/kubernetes/installation-configuration/#annotations
 */
export const notAwaited: Readonly<Record<string, string>> = { "pulumi.com/skipAwait": "true" };
