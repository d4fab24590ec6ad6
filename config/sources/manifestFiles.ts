import { isAbsolute, join } from "node:path";
import { isMap } from "../model/maps.ts";
import type { ManifestFile } from "../resolve/members/objects.ts";
import { absolutePath, readText, unreadable } from "./files.ts";
import type { Source } from "./sources.ts";
import { readYaml } from "./yaml/yamlText.ts";

/**
 * Reads the files that `objects` names.
 * @param folder the project's folder, which their paths are relative to
 */
export function manifestFiles(stack: Source, folder: string): ReadonlyMap<string, ManifestFile> {
  const { objects } = stack.raw;
  const files = (Array.isArray(objects) ? objects : []).flatMap((entry) =>
    isMap(entry) && typeof entry.file === "string" && entry.file !== "" ? [entry.file] : [],
  );
  return new Map([...new Set(files)].map((file) => [file, manifestFile(file, folder)]));
}

function manifestFile(file: string, folder: string): ManifestFile {
  const refused = (message: string) => ({ documents: [], mistakes: [message] });
  if (isAbsolute(file)) {
    return refused(absolutePath);
  }
  try {
    const { documents, mistakes } = readYaml(file, readText(join(folder, file)));
    if (mistakes.length > 0) {
      return { documents: [], mistakes: mistakes.map(({ line, message }) => `line ${line ?? 1}: ${message}`) };
    }
    return documents.length === 0 ? refused("has no manifest in it") : { documents, mistakes: [] };
  } catch (error) {
    return refused(unreadable(error));
  }
}
