import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { execa } from "execa";
import { parse } from "yaml";
import { withTemporaryFolder } from "../../cluster/temporaryFolder.ts";
import { repository } from "../../sandbox/paths.ts";

/** A change of one file. */
interface Mutation {
  readonly file: string;
  /** Text that is in the file once. */
  readonly from: string;
  readonly to: string;
  /** What it would mean for users. */
  readonly means: string;
  /** Test file that is to be red. Default: the unit test at the same path, and then all unit tests. */
  readonly test?: string;
}

interface Row extends Mutation {
  readonly number: number;
  readonly area: string;
}

/** As mocha's reporter `json` writes it. */
interface Report {
  readonly failures: readonly { readonly file: string; readonly fullTitle: string }[];
}

const mocha = "node_modules/mocha/bin/mocha.js";

/**
 * Script of `npm run mutations`: makes each change of mutations.yaml in the working tree, one at a time, and prints which
 * test is red. With numbers as arguments, only these rows. Exit code 1: a row is green, or its text is not in the file once.
 */
const areas: Readonly<Record<string, readonly Mutation[]>> = parse(
  readFileSync(join(import.meta.dirname, "mutations.yaml"), "utf8"),
);
const all = Object.entries(areas)
  .flatMap(([area, mutations]) => mutations.map((mutation) => ({ ...mutation, area })))
  .map((row, at): Row => ({ ...row, number: at + 1 }));
const wanted = process.argv.slice(2).map(Number);
const rows = all.filter(({ number }) => wanted.length === 0 || wanted.includes(number));

const { stdout: dirty } = await execa("git", ["status", "--porcelain"], { cwd: repository });
if (dirty !== "") {
  throw new Error(`The working tree has changes; commit them first:\n${dirty}`);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(130));
}
console.log("| number | area | file | change | what it would mean | red test |\n|---|---|---|---|---|---|");
for (const row of rows) {
  const { number, area, file, from, to, means } = row;
  const red = await redTest(row);
  const change = `${code(from)} → ${to === "" ? "nothing" : code(to)}`;
  console.log(`| ${[number, area, file, change, means, red ?? "**none**"].join(" | ")} |`);
  process.exitCode = red === undefined ? 1 : (process.exitCode ?? 0);
}

function code(text: string): string {
  return `\`${text
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")}\``;
}

/** The first red test, with its file; undefined if the change can't be made, or all tests are green. */
async function redTest({ number, file, from, to, test }: Row): Promise<string | undefined> {
  const path = join(repository, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (text.split(from).length !== 2) {
    console.error(`Row ${number}: the text is not in ${file} once; adapt the row`);
    return undefined;
  }
  const restore = () => writeFileSync(path, text);
  process.once("exit", restore);
  try {
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const near = test ?? join("test/unit", file.replace(/\.ts$/, ".test.ts"));
    const first = existsSync(join(repository, near)) ? await firstRed([near]) : undefined;
    return first ?? (await firstRed(["--parallel", "--jobs", "2", "test/unit/**/*.test.ts"]));
  } finally {
    restore();
    process.off("exit", restore);
  }
}

async function firstRed(args: readonly string[]): Promise<string | undefined> {
  return await withTemporaryFolder("kubecamp-mutations-", async (folder) => {
    const output = join(folder, "report.json");
    const reporter = ["--reporter", "json", "--reporter-option", `output=${output}`];
    const run = await execa(process.execPath, [mocha, "--bail", ...reporter, ...args], {
      cwd: repository,
      reject: false,
    });
    if (!existsSync(output)) {
      throw new Error(`mocha wrote no report: ${run.stderr}`);
    }
    const [first] = (JSON.parse(readFileSync(output, "utf8")) as Report).failures;
    return first && `${relative(repository, first.file)}: ${first.fullTitle.replaceAll("|", "\\|")}`;
  });
}
