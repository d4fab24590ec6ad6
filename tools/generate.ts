import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { referenceFiles } from "../config/reference/files.ts";
import { repository } from "../sandbox/paths.ts";
import { deployFiles, fencePath } from "./deploy/files.ts";
import { pictureFiles } from "./pictures/files.ts";

/** Script of `npm run generate`. */
const fence = await readFile(join(repository, fencePath), "utf8");
for (const [path, text] of Object.entries({ ...referenceFiles(), ...deployFiles(fence), ...pictureFiles() })) {
  await mkdir(dirname(join(repository, path)), { recursive: true });
  await writeFile(join(repository, path), text);
}
