import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";

/** The pages of the documentation, by their paths in the project. */
export const pages: readonly string[] = globSync(["{README,README.ja,CONTRIBUTING,bench/README}.md", "docs/**/*.md"], {
  cwd: repository,
}).toSorted();

/** The blocks of code of a page in a language. */
export function blocksIn(page: string, language: string): string[] {
  const text = readFileSync(join(repository, page), "utf8");
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, "gm"))].map(
    ([, indent = "", block = ""]) => block.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}
