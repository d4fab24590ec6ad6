import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import { merged } from "./merge.ts";
import { csvOf } from "./report/csv.ts";
import { expectation } from "./report/expectation.ts";
import { pageWith, tablesOf } from "./report/page.ts";
import { pictureOf } from "./report/picture.ts";
import type { Results } from "./results.ts";

/** Pages that have a text of the benchmark: for users what to expect, for contributors tables and goals. */
const pages: readonly (readonly [page: string, text: (results: Results) => string])[] = [
  ["docs/reference/performance.md", expectation],
  ["bench/README.md", tablesOf],
];
const figures = join(repository, "docs/reference/performance.csv");
const picture = join(repository, "docs/reference/performance.svg");

/**
 * Checks before the measurements that the pages can be written to.
 * @throws the file system's error, or an error saying what a page lacks
 */
export async function checkPages(): Promise<void> {
  for (const [page] of pages) {
    pageWith(await readFile(join(repository, page), "utf8"), "");
  }
}

/** Writes the results into the documentation. */
export async function writeDown(results: Results): Promise<void> {
  for (const [page, text] of pages) {
    const file = join(repository, page);
    await writeFile(file, pageWith(await readFile(file, "utf8"), text(results)));
  }
  await writeFile(figures, csvOf(results));
  await writeFile(picture, pictureOf(results));
}

/** Reads and merges the printed results of earlier runs. */
export async function readResults(files: readonly string[]): Promise<Results> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return merged(texts.map((text) => JSON.parse(text) as Results));
}
