import { createHash } from "node:crypto";
import anyAscii from "any-ascii";
import { fold } from "./csv.ts";

/** The longest name of a member, as the schema has it. */
const longest = 59;
const hashLength = 6;

/**
 * Members' names for new people, in their order. A name that is taken, or that several of them would have, ends in a
 * hash of the key: it depends on nobody's place in the roster, and is the same in the next try.
 */
export function newNames(
  people: readonly { readonly key: string; readonly text: string }[],
  isTaken: (name: string) => boolean,
  isReserved: (name: string) => boolean,
): string[] {
  const plain = people.map(({ key, text }) => usualName(text, key, isReserved));
  const alike = Map.groupBy(plain, (name) => name);
  return people.map(({ key }, at) => {
    const name = plain[at] ?? "";
    return alike.get(name)?.length === 1 && !isTaken(name)
      ? name
      : `${cut(name, longest - hashLength - 1)}-${hash(key, hashLength)}`;
  });
}

/** The name that a person has unless it is taken. */
export function usualName(text: string, key: string, isReserved: (name: string) => boolean): string {
  const name = memberName(text, key);
  return isReserved(name) ? cut(`m-${name}`, longest) : name;
}

/**
 * A member's name from a text in any script: a DNS label that begins with a letter. Han characters are read one way in
 * Chinese and another in Japanese, so that a text with them gives a hash, as one without any letter does.
 */
export function memberName(text: string, key: string): string {
  const ascii = /\p{Script=Han}/u.test(text) ? "" : anyAscii(text.normalize("NFC"));
  const label = ascii
    .toLowerCase()
    .replaceAll(/['`]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (label === "") {
    return `m-${hash(key, hashLength + 2)}`;
  }
  return cut(/^[a-z]/.test(label) ? label : `m-${label}`, longest);
}

const cut = (name: string, length: number) => name.slice(0, length).replace(/-+$/, "");

const hash = (key: string, length: number) => createHash("sha256").update(fold(key)).digest("hex").slice(0, length);
