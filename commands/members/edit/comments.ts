import { CST, Lexer } from "yaml";

/** Marks of the lexer, which are not in the text. */
const marks = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];

/** The comments in a YAML text, with their lines. A `#` inside a value is none. */
export function commentsIn(text: string): { readonly text: string; readonly line: number }[] {
  let line = 1;
  return [...new Lexer().lex(text)].flatMap((lexeme) => {
    const at = line;
    line += marks.includes(lexeme) ? 0 : lexeme.split("\n").length - 1;
    // Only a comment begins so: a plain value can't, and others begin with a quote or a blank.
    return lexeme.startsWith("#") ? [{ text: lexeme, line: at }] : [];
  });
}

/** What is left of a list of comments without those of another. */
export function commentsBeyond<C extends { readonly text: string }>(
  comments: readonly C[],
  others: readonly { readonly text: string }[],
): C[] {
  const left = others.map(({ text }) => text);
  return comments.filter(({ text }) => {
    const at = left.indexOf(text);
    left.splice(at, at === -1 ? 0 : 1);
    return at === -1;
  });
}
