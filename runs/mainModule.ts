import { existsSync, readFileSync, realpathSync } from "node:fs";
import module, { createRequire } from "node:module";
import { join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { jsonIn } from "../config/model/json.ts";
import { isMap } from "../config/model/maps.ts";
import { RunError } from "../config/model/runError.ts";
import { readProject } from "../config/sources/files.ts";

/** The folder of this kubecamp: the repository, or the package's `dist`. */
const own = realpathSync(join(import.meta.dirname, ".."));
/** Folders of its modules, which no run needs anew. */
const lasting = ["buckets", "cluster", "commands", "components", "config", "naming", "plan", "runs", "watch"].map(
  (name) => pathToFileURL(join(own, name) + sep).href,
);

/** The program that this kubecamp brings, as TypeScript or JavaScript. */
const program = pathToFileURL(join(own, "index.")).href;

let runs = 0;
let isHooked = false;

/**
 * A project's program, for one run: its main file and what that imports from the project's folder, imported anew, since
 * the resources are made as they are loaded.
 * @param folder the project's, absolute
 * @returns calls it, and gives the stack's outputs
 * @throws RunError when there is none, or it has another kubecamp than this
 * @see https://www.pulumi.com/docs/iac/concepts/projects/project-file/
 */
export function mainModule(folder: string): PulumiFn {
  const main = mainFile(folder);
  assertOwn(main);
  hookImports(pathToFileURL(realpathSync(folder) + sep).href);
  return async () => {
    const exported: Readonly<Record<string, unknown>> = await import(`${pathToFileURL(main).href}?run=${++runs}`);
    const outputs: unknown = "default" in exported ? exported.default : { ...exported };
    return await (typeof outputs === "function" ? outputs() : outputs);
  };
}

/** The main file in the order in which Pulumi looks for it. */
function mainFile(folder: string): string {
  const { main = "." } = readProject(folder);
  const named = resolve(folder, String(main));
  const text =
    main === "." && existsSync(join(folder, "package.json")) ? readFileSync(join(folder, "package.json")) : "";
  const { exports, main: ofPackage } = Object(jsonIn(text.toString())) as Readonly<Record<string, unknown>>;
  const exported = isMap(exports) ? exports["."] : exports;
  const entry = isMap(exported) ? (exported.default ?? exported.require ?? exported.import) : exported;
  const files = [entry ?? ofPackage, "index.js", "index.mjs", "index.ts", "index.mts"].flatMap((file) =>
    typeof file === "string" ? [join(named, file)] : [],
  );
  const found = [named, ...files].find((file) => /\.[cm]?[jt]s$/.test(file) && existsSync(file));
  if (found === undefined) {
    throw new RunError(`The project in ${folder} has no main file: name it as 'main' in Pulumi.yaml or package.json.`);
  }
  return realpathSync(found);
}

/** Another kubecamp's `stack()` would know nothing of this run. */
function assertOwn(main: string): void {
  let theirs: string;
  try {
    theirs = realpathSync(createRequire(main).resolve("kubecamp/package.json"));
  } catch {
    // It imports kubecamp by its path.
    return;
  }
  if (!own.startsWith(theirs.replace(/package\.json$/, "").replace(/[\\/]$/, ""))) {
    throw new RunError(
      `The project has a kubecamp of its own, and this command is another's: ${own}.\nRun the project's: npx kubecamp`,
    );
  }
}

/** Passes the number of a run on to modules of the project that its modules import, and so has them loaded anew. */
function hookImports(folder: string): void {
  if (isHooked) {
    return;
  }
  isHooked = true;
  module.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [run] = /\?run=\d+$/.exec(context.parentURL ?? "") ?? [];
      // Called for each file of each package.
      if (run === undefined) {
        return found;
      }
      const isProjects = found.url.startsWith(folder) && !found.url.includes("/node_modules/");
      const isProgram = found.url.startsWith(program);
      return isProgram || (isProjects && !lasting.some((each) => found.url.startsWith(each)))
        ? { ...found, url: found.url + run }
        : found;
    },
  });
}
