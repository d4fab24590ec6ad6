import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repository } from "../sandbox/paths.ts";
import { generatedFiles } from "./generatedFiles.ts";

/** Script of `npm run generate`. */
for (const [path, text] of Object.entries(generatedFiles())) {
  await mkdir(dirname(join(repository, path)), { recursive: true });
  await writeFile(join(repository, path), text);
}
