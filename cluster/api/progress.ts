/** Shows a slow step in Pulumi's display only. Loads the SDK late: that takes half a second, also in commands. */
export const reportProgress = (message: string): void =>
  void import("@pulumi/pulumi").then(({ log }) => log.info(message, undefined, undefined, true));
