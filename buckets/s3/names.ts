/** Encoding of the names in an answer. */
export interface Encoded {
  readonly EncodingType?: string | undefined;
}

/** Decodes a name. Requests ask for URL encoding because XML can't contain all names; some servers ignore that. */
export function decoded(name: string, { EncodingType }: Encoded): string {
  if (EncodingType !== "url") return name;
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/**
 * Whether XML can contain a name.
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function isXml(name: string): boolean {
  return [...name].every((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return "\t\n\r".includes(char);
    return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
}
