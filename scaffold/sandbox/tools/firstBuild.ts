import { catalogue } from "./catalogue.ts";
import { inGibibytes, spaceNeeded } from "./diskSpace.ts";

/** Cost of a first build of all tools, as text for messages and docs/start/sandbox.md. */
export const firstBuild = {
  /** Measured on two idle cores: eleven, and one more for the S3 server. */
  time: "about twelve minutes",
  space: inGibibytes(spaceNeeded(catalogue, () => false)),
} as const;
