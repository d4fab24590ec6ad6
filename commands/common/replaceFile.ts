import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { messageOf } from "../../cluster/api/errors.ts";
import { Problem } from "./problem.ts";

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Replaces a file's text at once: whoever reads it, and whoever is killed here, finds the old text or the new one.
 * Mode, links and byte order mark stay.
 * @param before the bytes that the text was made from; undefined for a file that is not there yet
 */
export function replaceFile(path: string, before: Buffer | undefined, text: string, name: string): void {
  const target = before === undefined ? path : realpathSync(path);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, "wx", before === undefined ? 0o666 : 0o600);
    try {
      const hasMark = before?.subarray(0, mark.length).equals(mark) === true;
      writeFileSync(file, Buffer.concat([hasMark ? mark : Buffer.alloc(0), Buffer.from(text)]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (before !== undefined) {
      chmodSync(temporary, statSync(target).mode);
    }
    if (before === undefined ? existsSync(target) : !readFileSync(target).equals(before)) {
      throw new Problem(`${name} has changed meanwhile.`, {
        why: "Somebody else wrote it while this command ran.",
        remedy: "Run the command again: it reads the file anew. Nothing was written.",
      });
    }
    renameSync(temporary, target);
  } catch (cause) {
    rmSync(temporary, { force: true });
    if (cause instanceof Problem) {
      throw cause;
    }
    throw new Problem(`Can't write ${name}.`, {
      why: messageOf(cause),
      remedy: "Make the file and its folder writable, then run again. The file is as it was.",
      cause,
    });
  }
}
