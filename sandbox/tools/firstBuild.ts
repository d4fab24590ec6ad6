import { isShared, type Reason } from "./toolEvents.ts";

/** Cost of a first build of all tools, as text for messages and docs/start/sandbox.md. */
export const firstBuild = {
  /** Measured on two idle cores: eleven, and one more for the S3 server. */
  time: "about twelve minutes",
  space: "9 GiB",
} as const;

/** With the reasons that several tools share, each once. */
export function buildingTitle(tools: readonly Reason[]): string {
  const title = `Tools: ${tools.length} to build, ${firstBuild.time} the first time, seconds once Go has them cached`;
  const reasons = [...new Set(tools.filter((tool) => isShared(tool, tools)).map(({ why }) => why))].toSorted();
  return reasons.length === 0 ? title : `${title} (${reasons.join(", ")})`;
}
