import { log } from "@pulumi/pulumi";

/** Says what takes so long, in Pulumi's display and nowhere else: the message does not stay when the run is over. */
export const reportProgress = (message: string): void => void log.info(message, undefined, undefined, true);
