import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { utcDay } from "../../config/model/days.ts";
import { answersOf, askedAnswers, type Given } from "./ask.ts";
import { projectFiles, tarball } from "./files.ts";
import { writeProject } from "./write.ts";

/** Makes a project in `folder`; see `kubecamp init --help`. */
export async function init(folder: string, { yes, ...given }: Given & { readonly yes: boolean }): Promise<void> {
  const answers = yes ? await answersOf(given, undefined) : await askedAnswers(given);
  const kubecamp = ownPackage();
  const files = projectFiles(basename(resolve(folder)), answers, kubecamp);
  writeProject(folder, files, utcDay());
  const width = Math.max(...Object.keys(files).map((path) => path.length));
  const lines = Object.keys(files).map((path) => `  ${path.padEnd(width)}  ${purposes[path] ?? ""}`.trimEnd());
  console.log([`${folder} has a project now:`, ...lines, "", ...next(folder, tarball(kubecamp))].join("\n"));
}

const purposes: Readonly<Record<string, string>> = {
  "package.json": "kubecamp as a dependency",
  "index.ts": "the program, which runs kubecamp's",
  "Pulumi.yaml": "the Pulumi project",
  "Pulumi.dev.yaml": "a stack to try things on",
  "Pulumi.prod.yaml": "the stack of your cluster",
  "members.prod.yaml": "its members",
  ".github/workflows/members.yml": "checks pull requests on GitHub",
  "README.md": "the commands from here on",
};

const next = (folder: string, file: string) => [
  "kubecamp is in no registry yet: bring its file along, which 'npm pack' makes in a clone of its repository.",
  `  cp PATH/TO/${file} ${folder}`,
  `  cd ${folder}`,
  "  npm install",
  "",
  "Try it on this machine:",
  "  npx kubecamp sandbox up",
  '  eval "$(npx kubecamp sandbox env)"',
  "  pulumi stack init dev",
  "  pulumi up --stack dev",
  "",
  "On your cluster, in a new shell:",
  "  pulumi stack init prod",
  "  pulumi preview --stack prod",
  "  pulumi up --stack prod",
];

function ownPackage(): { version: string; node: string } {
  const folder = join(import.meta.dirname, "../..");
  const { version, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return { version, node: engines.node };
}
