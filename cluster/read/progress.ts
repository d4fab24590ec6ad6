import { log } from "@pulumi/pulumi";

/** Shows a slow step in Pulumi's display only; the message disappears after the run. */
export const reportProgress = (message: string): void => void log.info(message, undefined, undefined, true);
