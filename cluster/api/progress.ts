/**
 * Shows a slow step in Pulumi's display only; the message disappears after the run. Loads Pulumi's SDK only then, since
 * that takes half a second and commands use this file too.
 */
export const reportProgress = (message: string): void =>
  void import("@pulumi/pulumi").then(({ log }) => log.info(message, undefined, undefined, true));
