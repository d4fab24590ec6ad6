/**
 * An error's message. A file of its own, because the other modules load Pulumi, and a check of the configuration starts
 * without it.
 */
export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
