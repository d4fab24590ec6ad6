/** What a run had begun with that was killed. */
export interface PendingOperation {
  readonly type: string;
  readonly resource: { readonly urn: string };
}

/**
 * Those of a state's pending operations that no later run has finished: Pulumi keeps creations in mind until somebody clears
 * them, also when a later run has made what they are about.
 */
export function unfinished(
  pending: readonly PendingOperation[] | undefined,
  isKnown: (urn: string) => boolean,
): readonly PendingOperation[] {
  return (pending ?? []).filter(({ type, resource }) => type !== "creating" || !isKnown(resource.urn));
}
