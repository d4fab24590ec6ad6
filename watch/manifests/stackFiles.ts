import { readFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { RunError } from "../../config/model/runError.ts";
import { stackFile } from "../../config/sources/files.ts";
import { withFiles } from "../../config/sources/pagesFolder.ts";
import type { Source } from "../../config/sources/sources.ts";

/** Most bytes in a ConfigMap. */
const most = 1_000_000;

/**
 * The files that a stack is configured by, as text by path in the project's folder: the watch reads them in its Pod.
 * @param source the stack's settings; for a shard, those of its family
 * @throws RunError if a ConfigMap can't hold them
 */
export function stackFiles(stack: string, source: Source, folder: string): ReadonlyMap<string, string> {
  const { members, pages, objects } = withFiles(source, folder);
  const paths = [
    "Pulumi.yaml",
    stackFile(folder, stack),
    source.file,
    ...(members === undefined ? [] : [members.file]),
    // First the folder itself.
    ...(pages?.files.slice(1) ?? []),
    ...(objects?.keys() ?? []),
  ].map(normalize);
  const outside = paths.find((path) => isAbsolute(path) || path.startsWith(".."));
  if (outside !== undefined) {
    throw new RunError(
      `The Pod can't have '${outside}', which is outside of the project's folder. Move it into the folder, or make the ConfigMap yourself and add --no-config.`,
    );
  }
  const files = new Map([...new Set(paths)].map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > most) {
    throw new RunError(
      `The stack's files have ${bytes} bytes, and a ConfigMap holds ${most}. Split the list into shards (docs/run/shards.md), or run the watch on a machine (docs/run/watch.md).`,
    );
  }
  return files;
}
