import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflate } from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import { repository } from "../../sandbox/paths.ts";

const packed = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");
/** The browser, its libraries beside the C library, and its font, Open Sans. */
const archives = ["chromium.br", "al2023.tar.br", "fonts.tar.br"];

/**
 * Starts the Chromium that an npm package brings, with that package's libraries and font alone: the same pixels on every
 * machine. The font has no Japanese.
 */
export async function startChromium(): Promise<Browser> {
  const folder = await unpacked();
  return await chromium.launch({
    executablePath: join(folder, "chromium"),
    // Its own sandbox needs rights that a container lacks. It opens only pages from here.
    chromiumSandbox: false,
    args: ["--disable-gpu", "--font-render-hinting=none", "--disable-lcd-text", "--no-zygote"],
    env: {
      LD_LIBRARY_PATH: join(folder, "al2023/lib"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
      HOME: folder,
    },
  });
}

/** Unpacks the browser once, 210 MB in three seconds; several processes may do so at the same time. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packed, "package.json"), "utf8")) as { readonly version: string };
  const cache = join(repository, "node_modules/.cache");
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) {
    return folder;
  }
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(`${folder}-`);
  await inflatedInto(making);
  await writeFile(
    join(making, "fonts.conf"),
    `<?xml version="1.0"?>
<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>
`,
  );
  try {
    await rename(making, folder);
  } catch (error) {
    // Another process was faster.
    await rm(making, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The package unpacks into the folder for temporary files, which it asks for at each call. */
async function inflatedInto(folder: string): Promise<void> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  const inflating = archives.map((archive) => inflate(join(packed, "bin", archive)));
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await Promise.all(inflating);
}
