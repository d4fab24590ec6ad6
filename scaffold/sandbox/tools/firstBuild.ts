import { catalogue } from "./catalogue.ts";
import { inGibibytes, spaceNeeded } from "./diskSpace.ts";

/** What building all tools takes where Go has never seen them, in the words of every message and of docs/start/sandbox.md. */
export const firstBuild = {
  /** Measured on two cores that had nothing else to do: eleven, to which the S3 server adds one. */
  time: "about twelve minutes",
  space: inGibibytes(spaceNeeded(catalogue, () => false)),
} as const;
