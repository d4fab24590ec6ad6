import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import { commandsPage } from "./commandsPage.ts";
import { deployFiles, fencePath } from "./deploy/files.ts";
import { pictureFiles } from "./pictures/files.ts";
import { referenceFiles } from "./reference/settingsPage.ts";

/** All generated files, by path in the project. */
export const generatedFiles = (): Readonly<Record<string, string>> => ({
  ...referenceFiles(),
  "docs/reference/commands.md": commandsPage(),
  ...deployFiles(readFileSync(join(repository, fencePath), "utf8")),
  ...pictureFiles(),
});
