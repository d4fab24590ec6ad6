/**
 * A resource's URN without project and stack: buckets and keys go along when a member moves to another shard.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function resourcePlace(urn: string): string {
  return urn.split("::").slice(2).join("::");
}
