import type { Tool } from "./catalogue.ts";

/** The first `1.2.3` in a tool's output, or undefined. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(text)?.[0];
}

/** Go names a release without a patch `go1.26`. */
export function goVersionIn(text: string): string | undefined {
  const [, major, minor, patch = "0"] = /go(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  return major === undefined ? undefined : `${major}.${minor}.${patch}`;
}

export function isAtLeast(found: string, wanted: string): boolean {
  const [a, b] = [numbers(found), numbers(wanted)];
  for (const [index, part] of b.entries()) {
    const other = a[index] ?? 0;
    if (other !== part) {
      return other > part;
    }
  }
  return true;
}

/** Whether a version on the PATH can replace the one that we would build. */
export function willDo(found: string, tool: Pick<Tool<string>, "version" | "accepts">): boolean {
  const [major, minor] = numbers(found);
  const [wantedMajor, wantedMinor] = numbers(tool.version);
  if (major !== wantedMajor) {
    return false;
  }
  return tool.accepts === "later" ? isAtLeast(found, tool.version) : minor === wantedMinor;
}

function numbers(version: string): number[] {
  return version.split(".").map(Number);
}
