import { readdirSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import type { ManifestFile } from "../objects/objects.ts";
import { isPageName, pagesProblem } from "../starter.ts";
import { isMap } from "../values/maps.ts";
import { valueAt, valueText } from "../values/mistakes.ts";
import { absolutePath, namedMistake, readText, unreadable, withMembersFile } from "./files.ts";
import type { PagesFolder, Source, Sources } from "./sources.ts";
import { readYaml } from "./yaml.ts";

/** Adds the files that a stack's settings name: of members, pages and objects, relative to the project's folder. */
export function withFiles(stack: Source, folder: string): Sources {
  const objects = manifestFiles(stack, folder);
  const sources = { ...withMembersFile(stack, folder), ...(objects.size === 0 ? {} : { objects }) };
  const named = valueAt(stack.raw, settingPath);
  return typeof named === "string" && named !== "" ? { ...sources, pages: pagesIn(named, stack, folder) } : sources;
}

const settingPath = ["starter", "pagesFolder"];

/** All pages of a folder, or a mistake; never some of the pages. */
function pagesIn(named: string, stack: Source, folder: string): PagesFolder {
  const refused = (message: string): PagesFolder => ({
    pages: {},
    files: [normalize(named)],
    mistakes: [namedMistake(stack, settingPath, message)],
  });
  if (isAbsolute(named)) {
    return refused(absolutePath);
  }
  try {
    const names = readdirSync(join(folder, named)).filter((name) => name.endsWith(".md"));
    const misnamed = names.filter((name) => !isPageName(name));
    if (misnamed.length > 0) {
      return refused(
        `has a file ${valueText(misnamed[0])}, which can't be a page's name: A-Z, a-z, 0-9, '.', '_' and '-', with .md at its end`,
      );
    }
    const pages = Object.fromEntries(names.sort().map((name) => [name, readText(join(folder, named, name))]));
    const problem = pagesProblem(pages);
    const files = [named, ...names.map((name) => join(named, name))].map(normalize);
    return problem === undefined ? { pages, files, mistakes: [] } : { ...refused(problem), files };
  } catch (error) {
    return refused(
      unreadable(error, {
        ENOTDIR: "is a file, not a folder; give the path of a folder with Markdown files",
        ERR_ENCODING_INVALID_ENCODED_DATA: "has a page that is no text in UTF-8; save it as UTF-8",
      }),
    );
  }
}

/** Reads the files that `objects` names. */
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
