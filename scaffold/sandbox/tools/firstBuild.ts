import { catalogue } from "./catalogue.ts";
import { inGibibytes, spaceNeeded } from "./diskSpace.ts";
import type { Undownloaded } from "./toolEvents.ts";

/** Cost of a first build of all tools, as text for messages and docs/start/sandbox.md. */
export const firstBuild = {
  /** Measured on two idle cores: eleven, and one more for the S3 server. */
  time: "about twelve minutes",
  space: inGibibytes(spaceNeeded(catalogue, () => false)),
} as const;

type Reason = Pick<Undownloaded, "why" | "host">;

/** With the reasons that several tools share, each once. */
export function buildingTitle(tools: readonly Reason[]): string {
  const title = `Tools: ${tools.length} to build, ${firstBuild.time} the first time, seconds once Go has them cached`;
  const reasons = [...new Set(tools.filter((tool) => isShared(tool, tools)).map(({ why }) => why))].toSorted();
  return reasons.length === 0 ? title : `${title} (${reasons.join(", ")})`;
}

/** A host that doesn't answer concerns all that come from it. */
export function isShared({ host, why }: Reason, tools: readonly Reason[]): boolean {
  return host !== undefined || (tools.length > 1 && tools.every((other) => other.why === why));
}
