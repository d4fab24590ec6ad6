import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import { merged } from "./merge.ts";
import { csvOf } from "./report/csv.ts";
import { markdownOf, pageWith } from "./report/page.ts";
import { pictureOf } from "./report/picture.ts";
import type { Results } from "./results.ts";

const page = join(repository, "docs/reference/performance.md");
const figures = join(repository, "docs/reference/performance.csv");
const picture = join(repository, "docs/reference/performance.svg");

/**
 * Checks before the measurements that the page can be written to.
 * @throws the file system's error, or an error saying what the page lacks
 */
export async function checkPage(): Promise<void> {
  pageWith(await readFile(page, "utf8"), { expectation: "", tables: "" });
}

/** Writes the results into the documentation. */
export async function writeDown(results: Results): Promise<void> {
  await writeFile(page, pageWith(await readFile(page, "utf8"), markdownOf(results)));
  await writeFile(figures, csvOf(results));
  await writeFile(picture, pictureOf(results));
}

/** Reads and merges the printed results of earlier runs. */
export async function readResults(files: readonly string[]): Promise<Results> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return merged(texts.map((text) => JSON.parse(text) as Results));
}
