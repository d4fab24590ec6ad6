import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { referenceFiles } from "./files.ts";

/** What `npm run generate` does. */
const project = join(import.meta.dirname, "../..");
for (const [path, text] of Object.entries(referenceFiles())) {
  await mkdir(dirname(join(project, path)), { recursive: true });
  await writeFile(join(project, path), text);
}
