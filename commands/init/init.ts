import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { utcDay } from "../../config/values/days.ts";
import { answersOf, askedAnswers, type Given } from "./ask.ts";
import { projectFiles } from "./files.ts";
import { writeProject } from "./write.ts";

/** Makes a project in `folder`; see `kubecamp init --help`. */
export async function init(folder: string, { yes, ...given }: Given & { readonly yes: boolean }): Promise<void> {
  const answers = yes ? await answersOf(given, undefined) : await askedAnswers(given);
  const files = projectFiles(basename(resolve(folder)), answers, ownPackage());
  writeProject(folder, files, utcDay());
  const lines = Object.keys(files).map((path) => `  ${path}`);
  console.log([`${folder} has a project now:`, ...lines, `Go on as ${join(folder, "README.md")} says.`].join("\n"));
}

function ownPackage(): { version: string; node: string } {
  const folder = join(import.meta.dirname, "../..");
  const { version, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { version, node: engines.node };
}
