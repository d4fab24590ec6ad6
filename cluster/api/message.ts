/** What an error says. Apart from all others, which take Pulumi: a check of the configuration starts without that. */
export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
