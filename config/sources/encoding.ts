/** Encodings of two bytes a letter, in which spreadsheets save a CSV in some countries. */
const ofTwoBytes = { shift_jis: "Shift_JIS", gb18030: "GBK" } as const;

/** First bytes of spreadsheets' own formats. */
const workbooks = ["504b0304", "d0cf11e0"];

/** What a file that is no UTF-8 seems to be, for a message: bytes alone don't tell it for certain. */
export function seemingEncoding(bytes: Buffer): string {
  if (workbooks.includes(bytes.toString("hex", 0, 4))) {
    return "a spreadsheet's workbook";
  }
  if (bytes.includes(0) || /^(fffe|feff)/.test(bytes.toString("hex", 0, 2))) {
    return "UTF-16";
  }
  // In a word of another encoding, two such letters seldom follow each other.
  const isWord = /[\p{Script=Han}\u3040-\u30ff]{2}/u;
  const found = Object.entries(ofTwoBytes).find(([encoding]) => isWord.test(decoded(bytes, encoding)));
  return found?.[1] ?? "Windows-1252";
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}
