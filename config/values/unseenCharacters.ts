/** Control and format characters, by which a text may look like another, or move a terminal's cursor. */
export const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The text with a mark for each of them. */
export const printable = (text: string): string => text.replaceAll(new RegExp(unseen, "gu"), "?");
