import { join } from "node:path";
import { repository } from "../../../../sandbox/paths.ts";

/** The programs that a warm process runs: each is made anew for each run, and what it imports is not. */
export const entries: readonly string[] = [
  join(repository, "index.ts"),
  join(repository, "test/e2e/buckets/program.ts"),
];
