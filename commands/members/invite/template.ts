import { nearest } from "../../../config/values/nearest.ts";
import { filledText, placeholdersIn } from "../../../config/values/placeholders.ts";
import { Problem } from "../../common/problem.ts";
import { blockPlaceholders, type InvitationValues, inlinePlaceholders } from "./values.ts";

/** A paragraph, table, list or code block, or a heading. */
type Block = string;

const names: readonly string[] = [...inlinePlaceholders, ...blockPlaceholders];
const isSectionStart = (block: Block) => /^## /.test(block);

const aloneIn = (block: Block) => /^\$\{([^{}]*)\}$/.exec(block.trim())?.[1];

/** Reads a template in Markdown. @returns its sections, each beginning with `## ` except the first */
export function parseTemplate(text: string, source: string): Block[][] {
  const blocks = blocksOf(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  const mistakes = new Set(blocks.flatMap(mistakesIn));
  if (mistakes.size > 0) {
    throw new Problem(`The template ${source} has mistakes.`, {
      why: [...mistakes].join("\n"),
      remedy: `Use the placeholders ${names.join(", ")}; for the text \${x}, write $\${x}.`,
    });
  }
  const sections: Block[][] = [[]];
  for (const block of blocks) {
    if (isSectionStart(block)) {
      sections.push([block]);
    } else {
      sections.at(-1)?.push(block);
    }
  }
  return sections;
}

function mistakesIn(block: Block): string[] {
  const isBlock = (name: string) => blockPlaceholders.some((each) => each === name);
  return placeholdersIn(block).flatMap((name) => {
    if (!names.includes(name)) {
      return [`\${${name}} is no placeholder${nearest(name, names) || "."}`];
    }
    return isBlock(name) && aloneIn(block) !== name ? [`\${${name}} has to be alone between blank lines.`] : [];
  });
}

/** Blank lines separate blocks, except in code; a heading is a block of its own. */
function blocksOf(text: string): Block[] {
  const blocks: string[][] = [[]];
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    const isHeading = fence === "" && /^#{1,6} /.test(line);
    if (isHeading) {
      blocks.push([line], []);
    } else if (fence === "" && line.trim() === "") {
      blocks.push([]);
    } else {
      blocks.at(-1)?.push(line);
    }
    if (fence === "") {
      fence = mark;
    } else if (mark.startsWith(fence) && line.trim() === mark) {
      fence = "";
    }
  }
  return blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
}

/**
 * An invitation in Markdown. Of a placeholder without a value, these go: its section if the placeholder stands alone, its
 * row of a table, or its paragraph. A section without content goes, too.
 */
export function filledTemplate(sections: readonly (readonly Block[])[], { inline, blocks }: InvitationValues): string {
  const values: Readonly<Record<string, string | undefined>> = { ...inline, ...blocks };
  const lacks = (text: string) => placeholdersIn(text).some((name) => values[name] === undefined);
  const filledBlock = (block: Block): Block[] => {
    const alone = aloneIn(block);
    const value = alone === undefined ? undefined : (blocks as typeof values)[alone];
    if (value !== undefined) {
      return [value];
    }
    if (!block.startsWith("|")) {
      return lacks(block) ? [] : [filledIn(block, inline)];
    }
    const rows = block.split("\n");
    const kept = rows.filter((row) => !lacks(row));
    return kept.length > 2 ? [kept.map((row) => filledIn(row, inline)).join("\n")] : [];
  };
  const filledSection = (section: readonly Block[]): Block[] => {
    const isGone = section.some((block) => aloneIn(block) !== undefined && lacks(block));
    const filled = section.flatMap(filledBlock);
    const isSection = isSectionStart(section[0] ?? "");
    return isSection && (isGone || filled.length < 2) ? [] : filled;
  };
  return `${sections.flatMap(filledSection).join("\n\n")}\n`;
}

/** Fills in values as text: nothing in them is Markdown, nor ends code. */
function filledIn(block: Block, inline: InvitationValues["inline"]): string {
  const each = (change: (value: string) => string) =>
    Object.fromEntries(Object.entries(inline).map(([name, value]) => [name, change(value.replaceAll(/\s+/g, " "))]));
  const inCode = each((value) => {
    const code = value.replaceAll("`", "'");
    return block.startsWith("|") ? code.replaceAll("|", "\\|") : code;
  });
  if (/^ {0,3}(`{3,}|~{3,})/.test(block)) {
    return filledText(block, inCode);
  }
  const inText = each(escapedMarkdown);
  return block
    .split(/(`[^`]*`)/)
    .map((part, index) => filledText(part, index % 2 === 1 ? inCode : inText))
    .join("");
}

/** Escapes what Markdown could take for markup, at the beginning of a line, too. */
const escapedMarkdown = (text: string): string =>
  text
    .replaceAll(/[\\`*_{}[\]<>&|~!]/g, "\\$&")
    .replace(/^[-+=#]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
