import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../../cluster/api/message.ts";
import { mistakeLine } from "../../config/sources/mistakes.ts";
import { Problem } from "../common/problem.ts";
import { checkFiles } from "../members/checks.ts";

/**
 * Makes a folder with these files, all or none. It checks them before, as `members check` does.
 * @param folder a folder that isn't there, or an empty one
 * @param files texts by path
 * @param today the day in UTC, as `2026-12-31`
 * @throws Problem naming every mistake, or what is in the way; nothing has been written by then
 */
export function writeProject(folder: string, files: Readonly<Record<string, string>>, today: string): void {
  const target = resolve(folder);
  assertFree(folder, target);
  const parent = dirname(target);
  /** The uppermost folder that was not there before; undefined if all were. */
  const above = writing(folder, () => mkdirSync(parent, { recursive: true }));
  const made = writing(folder, () => mkdtempSync(join(parent, `.${basename(target)}-`)));
  try {
    writing(folder, () => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(made, path)), { recursive: true });
        writeFileSync(join(made, path), text);
      }
    });
    assertRight(made, today);
    // mkdtemp makes it for its owner alone.
    chmodSync(made, 0o777 & ~process.umask());
    writing(folder, () => moveTo(target, made));
  } catch (error) {
    rmSync(above ?? made, { recursive: true, force: true });
    throw error;
  }
}

/** A folder that is there stays the same one: a shell may stand in it. */
function moveTo(target: string, made: string): void {
  if (!existsSync(target)) {
    renameSync(made, target);
    return;
  }
  const moved: string[] = [];
  try {
    for (const name of readdirSync(made)) {
      const path = join(target, name);
      if (existsSync(path)) throw new Error(`${path} exists now`);
      renameSync(join(made, name), path);
      moved.push(path);
    }
    rmSync(made, { recursive: true });
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true });
    throw error;
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

function assertRight(folder: string, today: string): void {
  // A member stands in the files of both stacks. No file is there to look into, and paths say what is wrong.
  const mistakes = new Set(
    checkFiles([], folder, today).flatMap((check) =>
      check.mistakes.map(({ path, message }) => mistakeLine({ path, message })),
    ),
  );
  if (mistakes.size > 0) {
    throw new Problem("The project would have mistakes, and nothing was written.", {
      why: [...mistakes].join("\n"),
      remedy: "Run 'kubecamp init' again with other values.",
    });
  }
}

function writing<T>(folder: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw new Problem(`${folder} can't be written.`, {
      why: messageOf(cause),
      remedy: "Name a folder that you may write to, and no other program writes to.",
      cause,
    });
  }
}
