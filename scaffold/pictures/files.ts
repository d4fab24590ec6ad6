import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import { transcriptIn } from "./samples.ts";
import { terminalPicture } from "./terminal.ts";

/** Pictures by their paths in the project, made from texts that tests hold to the program. */
export function pictureFiles(): Readonly<Record<string, string>> {
  const page = (path: string) => readFileSync(join(repository, path), "utf8");
  return {
    "docs/pictures/sandbox.svg": terminalPicture(
      "The sandbox starts a cluster and shows three members, two of them with an open path",
      "npm run sandbox",
      transcriptIn(page("docs/start/sandbox.md")),
    ),
  };
}
