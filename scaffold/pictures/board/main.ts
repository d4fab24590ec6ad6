import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repository } from "../../sandbox/paths.ts";
import { startChromium } from "./chromium.ts";
import { picture, shots } from "./shots.ts";

/** Script of `npm run pictures`: the board's pictures, in the documentation and for tests. */
const browser = await startChromium();
for (const shot of shots) {
  const path = join(repository, shot.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await picture(browser, shot));
}
await browser.close();
