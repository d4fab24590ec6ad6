import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../sandbox/paths.ts";
import { architecturePicture } from "./architecture.ts";
import { placesPicture } from "./places.ts";
import { terminalPicture } from "./terminal.ts";

/** Pictures by their paths in the project, made from the code, or from texts that tests hold to it. */
export function pictureFiles(): Readonly<Record<string, string>> {
  const page = (path: string) => readFileSync(join(repository, path), "utf8");
  return {
    "docs/pictures/architecture.svg": architecturePicture(),
    "docs/pictures/places.svg": placesPicture(),
    "docs/pictures/sandbox.svg": terminalPicture(
      "The sandbox starts a cluster and shows three members, two of them with an open path",
      "npm run sandbox",
      transcriptIn(page("docs/start/sandbox.md")),
    ),
  };
}

/** The output of `npm run sandbox`. docs/start/sandbox.md shows it, and an end-to-end test checks it. */
export const transcriptIn = (page: string): string =>
  between(page, "<!-- transcript -->\n\n```text\n", "\n```\n\n<!-- end of transcript -->");

function between(text: string, begin: string, end: string): string {
  const [, rest] = text.split(begin);
  const [sample, tail] = rest?.split(end) ?? [];
  if (sample === undefined || tail === undefined) {
    throw new Error(`no sample between '${begin}' and '${end}'`);
  }
  return sample;
}
