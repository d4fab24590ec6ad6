import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { repository } from "../../sandbox/paths.ts";

interface Import {
  /** A file of the project by its path from the root, or a package by its name. */
  readonly name: string;
  readonly isFile: boolean;
  /** Whether types alone are taken from there, so that nothing is loaded. */
  readonly typesOnly: boolean;
}

const form = /^(?:import|export) (type )?[^"'=;]*from "([^"]+)";|^import "([^"]+)";|\bimport\("([^"]+)"\)/gm;

/** A file's imports, static or dynamic, without Node's built-in modules. */
export function importsOf(file: string): Import[] {
  return [...readFileSync(join(repository, file), "utf8").matchAll(form)]
    .map(([, type, still, alone, lazily]) => ({ typesOnly: type !== undefined, name: still ?? alone ?? lazily ?? "" }))
    .filter(({ name }) => !isBuiltin(name))
    .map(({ typesOnly, name }) => {
      const isFile = name.startsWith(".");
      return {
        typesOnly,
        isFile,
        name: isFile ? relative(repository, resolve(repository, dirname(file), name)) : name,
      };
    });
}
