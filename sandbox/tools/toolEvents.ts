import type { ToolName } from "./catalogue.ts";

/** A tool that can't be downloaded. */
export interface Undownloaded<Name extends string = ToolName> {
  readonly tool: Name;
  readonly why: string;
  /** The host that accepts no connection, if that is why. */
  readonly host?: string;
}

export interface ToolEvents<Name extends string = ToolName> {
  /** Called for each megabyte. */
  readonly onDownloading: (tool: Name, text: string) => void;
  readonly onProgress: (tool: Name, text: string) => void;
  /** Called at most once, after the downloads, with those to build. */
  readonly onBuilding: (tools: readonly Undownloaded<Name>[]) => void;
  readonly onReady: (tool: Name) => void;
}

export const silent: ToolEvents<string> = {
  onDownloading: () => undefined,
  onProgress: () => undefined,
  onBuilding: () => undefined,
  onReady: () => undefined,
};

export type Reason = Pick<Undownloaded, "why" | "host">;

/** A host that doesn't answer concerns all that come from it. */
export function isShared({ host, why }: Reason, tools: readonly Reason[]): boolean {
  return host !== undefined || (tools.length > 1 && tools.every((other) => other.why === why));
}
