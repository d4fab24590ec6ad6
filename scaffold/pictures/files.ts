import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import { commentPicture } from "./comment.ts";
import { commentIn, transcriptIn } from "./samples.ts";
import { terminalPicture } from "./terminal.ts";

/** The pictures of README.md by their paths in the project, made from pages that tests hold to the program. */
export function pictureFiles(): Readonly<Record<string, string>> {
  const page = (path: string) => readFileSync(join(repository, path), "utf8");
  return {
    "docs/pictures/comment.svg": commentPicture(commentIn(page("docs/run/report.md"))),
    "docs/pictures/sandbox.svg": terminalPicture(
      "The sandbox starts a cluster and shows three members, two of them with an open path",
      "npm run sandbox",
      transcriptIn(page("docs/start/sandbox.md")),
    ),
  };
}
