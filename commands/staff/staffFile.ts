import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { projectConfig } from "../../config/sources/files.ts";
import { withInherited } from "../../config/sources/inherited.ts";
import { Problem, refuseMistakes } from "../common/problem.ts";
import { assertProject, ownSource } from "../common/stackFile.ts";
import { entriesIn, familyOf, type ListFile, onlyStack } from "../members/edit/listFile.ts";

/** A stack's file with its list of staff, an empty one if it had none. @throws Problem when there is no place for it */
export function readStaffFile(stack: string | undefined, folder: string): ListFile {
  assertProject(folder);
  const name = familyOf(stack ?? onlyStack(folder), folder);
  const own = ownSource(name, folder);
  const { file } = own;
  refuseMistakes(`${file} has mistakes.`, own.mistakes);
  const elsewhere = withInherited(own, projectConfig(folder)).inheritedFrom?.(["staff"]);
  if (elsewhere !== undefined) {
    throw new Problem(`The staff of stack '${name}' are not in its own file.`, {
      why: `They are in ${elsewhere}, for all stacks of the project, and a list in ${file} would replace them.`,
      remedy: "Add the entry there by hand. Nothing was written.",
    });
  }
  const path = resolve(folder, file);
  const bytes = readFileSync(path);
  const text = new TextDecoder("utf-8").decode(bytes);
  const placed = (own.raw.staff ?? undefined) === undefined ? withPlace(text, file) : text;
  return { stack: name, file, path, kind: "staff", text: placed, bytes, entries: entriesIn(own, "staff") };
}

function withPlace(text: string, file: string): string {
  if (/^ +(kubecamp:)?staff:/m.test(text)) {
    return text;
  }
  const place = /^config:[ \t]*(?:#.*)?\r?\n(?=(?:[ \t]*(?:#.*)?\r?\n)*( +)[^\s#])/m.exec(text);
  if (place === null) {
    throw new Problem(`${file} has no place for staff.`, {
      why: "It has no 'config:' with keys on lines of their own.",
      remedy: `Write 'kubecamp:staff: []' below config in ${file}, then run again. Nothing was written.`,
    });
  }
  const at = place.index + place[0].length;
  return `${text.slice(0, at)}${place[1]}kubecamp:staff: []\n${text.slice(at)}`;
}
