import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../../cluster/api/errors.ts";
import { mistakeLine } from "../../config/values/mistakes.ts";
import { Problem } from "../common/problem.ts";
import { checkFiles } from "../members/checks.ts";

type Files = Readonly<Record<string, string>>;

/**
 * Makes a folder with these files. It checks them before, as `members check` does.
 * @param folder a folder that isn't there, or an empty one
 * @param files texts by path
 * @param today the day in UTC, as `2026-12-31`
 * @throws Problem naming every mistake, or what is in the way; none of the files is there then
 */
export function writeProject(folder: string, files: Files, today: string): void {
  const target = resolve(folder);
  assertFree(folder, target);
  assertRight(files, today);
  try {
    writeAll(target, files);
  } catch (cause) {
    for (const path of Object.keys(files)) rmSync(join(target, path), { force: true });
    throw new Problem(`${folder} can't be written.`, {
      why: messageOf(cause),
      remedy: "Name a folder that you may write to, and no other program writes to.",
      cause,
    });
  }
}

function writeAll(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function assertFree(folder: string, target: string): void {
  if (!existsSync(target)) return;
  const found = lstatSync(target).isDirectory() ? readdirSync(target) : [target];
  if (found.length > 0) {
    throw new Problem(`${folder} is in use, and nothing was written.`, {
      why: `It has ${found.slice(0, 5).join(", ")}${found.length > 5 ? ` and ${found.length - 5} more` : ""}.`,
      remedy: "Name a new or empty folder.",
    });
  }
}

function assertRight(files: Files, today: string): void {
  const folder = mkdtempSync(join(tmpdir(), "kubecamp-init-"));
  try {
    writeAll(folder, files);
    // A member stands in the files of both stacks. No file is there to look into, and paths say what is wrong.
    const checks = checkFiles([], folder, today).flatMap(({ mistakes }) => mistakes);
    const mistakes = new Set(checks.map(({ path, message }) => mistakeLine({ path, message })));
    if (mistakes.size > 0) {
      throw new Problem("The project would have mistakes, and nothing was written.", {
        why: [...mistakes].join("\n"),
        remedy: "Run 'kubecamp init' again with other values.",
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
