/** What an answer says of how names are written in it. */
export interface Encoded {
  readonly EncodingType?: string | undefined;
}

/** A name as it is. They are asked for as addresses have them, because XML has no words for all; not every server does so. */
export function decoded(name: string, { EncodingType }: Encoded): string {
  if (EncodingType !== "url") return name;
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/**
 * Whether a name can stand in a request's XML.
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function isXml(name: string): boolean {
  return [...name].every((char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return "\t\n\r".includes(char);
    return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff;
  });
}
