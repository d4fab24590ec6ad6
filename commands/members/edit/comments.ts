import { CST, Lexer } from "yaml";

/** Marks of the lexer, which are not in the text. */
const marks = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];

/** Offsets of the comments in a YAML text. A `#` inside a value is none. */
export function commentsIn(text: string): number[] {
  const found: number[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (!marks.includes(lexeme)) {
      // Only a comment begins so: a plain value can't, and others begin with a quote or a blank.
      found.push(...(lexeme.startsWith("#") ? [offset] : []));
      offset += lexeme.length;
    }
  }
  return found;
}
