/** An operation that a killed run had started. */
export interface PendingOperation {
  readonly type: string;
  readonly resource: { readonly urn: string };
}

/**
 * Pending operations that no later run has finished. Pulumi keeps a pending creation until somebody clears it, even if
 * a later run has made the resource.
 */
export function unfinished(
  pending: readonly PendingOperation[] | undefined,
  isKnown: (urn: string) => boolean,
): readonly PendingOperation[] {
  return (pending ?? []).filter(({ type, resource }) => type !== "creating" || !isKnown(resource.urn));
}
