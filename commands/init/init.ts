import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { answersOf, atTerminal, type Given } from "./ask.ts";
import { projectFiles } from "./files.ts";
import { writeProject } from "./write.ts";

/** Makes a project in `folder`; see `kubecamp init --help`. */
export async function init(folder: string, { yes, ...given }: Given & { readonly yes: boolean }): Promise<void> {
  const answers = yes ? await answersOf(given, undefined) : await atTerminal((ask) => answersOf(given, ask));
  const files = projectFiles(basename(resolve(folder)), answers, ownPackage());
  writeProject(folder, files, new Date().toISOString().slice(0, 10));
  const width = Math.max(...Object.keys(files).map((path) => path.length));
  const lines = Object.keys(files).map((path) => `  ${path.padEnd(width)}  ${purposes[path] ?? ""}`.trimEnd());
  console.log([`${folder} has a project now:`, ...lines, "", ...next(folder)].join("\n"));
}

const purposes: Readonly<Record<string, string>> = {
  "Pulumi.dev.yaml": "a stack to try things on",
  "Pulumi.prod.yaml": "the stack of your cluster",
  "members.prod.yaml": "its members",
  ".github/workflows/members.yml": "checks pull requests on GitHub",
};

const next = (folder: string) => [
  "Next:",
  `  cd ${folder}`,
  "  npm install PATH/TO/kubecamp-VERSION.tgz   # of 'npm pack': kubecamp is in no registry yet",
  "  pulumi stack init prod",
  "  pulumi up",
];

function ownPackage(): { version: string; node: string } {
  const folder = join(import.meta.dirname, "../..");
  const { version, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { version, node: engines.node };
}
