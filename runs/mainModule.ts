import { existsSync, readFileSync, realpathSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { PulumiFn } from "@pulumi/pulumi/automation/index.js";
import { isCutOff } from "../components/givenRun.ts";
import { readProject } from "../config/sources/files.ts";
import { isMap, jsonIn } from "../config/values/maps.ts";
import { RunError } from "../config/values/runError.ts";
import { plainText } from "./pulumiWords.ts";

/** The folder of this kubecamp: the repository, or the package's `dist`. */
const own = realpathSync(join(import.meta.dirname, ".."));
const lasting = ["buckets", "cluster", "commands", "components", "config", "objects", "plan", "runs", "watch"].map(
  (name) => pathToFileURL(join(own, name) + sep).href,
);

const projects = new Set<string>();
let runs = 0;
let isHooked = false;

/** Loaded anew for a run: modules make resources. @throws RunError without one, or with another kubecamp than this */
export function mainModule(folder: string): PulumiFn {
  const main = mainFile(folder);
  assertOwn(main);
  projects.add(pathToFileURL(realpathSync(folder) + sep).href);
  hookImports();
  return async () => {
    forgetRequired(main);
    try {
      const exported: Readonly<Record<string, unknown>> = await import(`${pathToFileURL(main).href}?run=${++runs}`);
      const outputs: unknown = "default" in exported ? exported.default : { ...exported };
      return await (typeof outputs === "function" ? outputs() : outputs);
    } catch (error) {
      throw inWords(error);
    }
  };
}

/** Other than kubecamp's, it may make further resources. @throws RunError when there is none */
export function hasOwnProgram(folder: string): boolean {
  const main = mainFile(folder);
  const isReexport = /^export \{[^}]*\} from ["']kubecamp\/program["'];?\s*$/;
  return !main.startsWith(join(own, "index.")) && !isReexport.test(readFileSync(main, "utf8"));
}

/** Pulumi tells of any but a RunError twice, once with a stack trace, and of no connection that it has ended. */
function inWords(error: unknown): unknown {
  if (RunError.isInstance(error) || isCutOff(error)) {
    return error;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const readable = text.replaceAll(/file:\/\/(\S+?)\?run=\d+/g, (_, path: string) => decodeURI(path));
  return new RunError(plainText(readable.replace(/^Error( \[\w+\])?: /, "")));
}

function mainFile(folder: string): string {
  const { main = "." } = readProject(folder);
  const named = resolve(folder, String(main));
  const packageFile = join(named, "package.json");
  const text = existsSync(packageFile) ? readFileSync(packageFile, "utf8") : "";
  const { exports, main: ofPackage } = Object(jsonIn(text)) as Readonly<Record<string, unknown>>;
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
  let theirs: string | undefined;
  try {
    theirs = dirname(realpathSync(createRequire(main).resolve("kubecamp/package.json")));
  } catch (error) {
    if (Object(error).code === "MODULE_NOT_FOUND") {
      // It imports kubecamp by its path.
      return;
    }
  }
  if (theirs === undefined || ![theirs, join(theirs, "dist")].includes(own)) {
    throw new RunError(`The project has a kubecamp of its own, and this command is another's: ${own}.`, {
      remedy: "Run the project's: npx kubecamp",
    });
  }
}

function isProgram(url: string): boolean {
  const isIn = (folder: string) => url.startsWith(folder);
  const isOwn = isIn(pathToFileURL(join(own, "index.")).href);
  return isOwn || ([...projects].some(isIn) && !url.includes("/node_modules/") && !lasting.some(isIn));
}

/** Passes the number of a run on to modules of the project that its modules import, and so has them loaded anew. */
function hookImports(): void {
  if (isHooked) {
    return;
  }
  isHooked = true;
  module.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [run] = /\?run=\d+$/.exec(context.parentURL ?? "") ?? [];
      return run !== undefined && isProgram(found.url) ? { ...found, url: found.url + run } : found;
    },
  });
}

/** Has the CommonJS modules of programs loaded anew: Node keeps these by their path. */
function forgetRequired(main: string): void {
  const { cache } = createRequire(main);
  for (const file of Object.keys(cache).filter((each) => isProgram(pathToFileURL(each).href))) {
    delete cache[file];
  }
}
