import { importsOf } from "../../tools/architecture/imports.ts";

/** Files of the project that are loaded for some of them, whatever they go on to do, and packages. */
export function loadedFor(...starts: readonly string[]): { files: ReadonlySet<string>; packages: ReadonlySet<string> } {
  const files = new Set(starts);
  const packages = new Set<string>();
  // A set that grows is walked to its end.
  for (const file of files) {
    for (const { name, isFile, typesOnly } of importsOf(file)) {
      if (typesOnly) {
        continue;
      }
      if (isFile) {
        files.add(name);
      } else {
        packages.add(name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
      }
    }
  }
  return { files, packages };
}
