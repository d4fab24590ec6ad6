/**
 * Where a resource stands in its program: its URN without project and stack, so that a member who moves to another shard takes
 * buckets and keys along.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function resourcePlace(urn: string): string {
  return urn.split("::").slice(2).join("::");
}
