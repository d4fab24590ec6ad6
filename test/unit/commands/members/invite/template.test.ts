import assert from "node:assert/strict";
import { htmlPage, htmlPart } from "../../../../../commands/board/markdown.ts";
import { filledTemplate, parseTemplate } from "../../../../../commands/members/invite/template.ts";
import type { InvitationValues } from "../../../../../commands/members/invite/values.ts";

const filled = (template: string, values: Partial<InvitationValues> = {}) =>
  filledTemplate(parseTemplate(template, "welcome.md"), { inline: {}, blocks: {}, ...values });

/** What a reader of the page sees. */
const shownIn = (markdown: string) =>
  htmlPart(markdown, 0)
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(lt|gt|quot);/g, (_, name: "lt" | "gt" | "quot") => ({ lt: "<", gt: ">", quot: '"' })[name])
    .replaceAll("&amp;", "&")
    .trim();

const hostile = "<img src=x onerror=alert(1)> **b** [c](javascript:alert(1)) `d` | ```\n# e";

describe("an invitation's template", () => {
  it("loses the section, row or paragraph of which there is nothing to say", () => {
    const template = [
      `# Hi \${member}`,
      `See \${url}.`,
      `| | |\n|---|---|\n| path | \${url} |\n| name | \${member} |`,
      `| | |\n|---|---|\n| path | \${url} |`,
      "## Images",
      "These:",
      `\${images}`,
      "## Path",
      `See \${url}.`,
      "## Rest",
      `\`\`\`\n## no heading\n\n\${member}\n\`\`\``,
    ].join("\n\n");
    assert.equal(
      filled(template, { inline: { member: "bob" } }),
      "# Hi bob\n\n| | |\n|---|---|\n| name | bob |\n\n## Rest\n\n```\n## no heading\n\nbob\n```\n",
    );
  });

  it("takes nothing in a value for markup, in a text, a table or code", () => {
    const values = { inline: { contact: hostile, username: hostile } };
    const markdown = filled(
      `\${contact}\n\n| a | b |\n|---|---|\n| \${contact} | \`\${username}\` |\n\n\`\`\`\n\${contact}\n\`\`\``,
      values,
    );
    const html = htmlPage(markdown);
    const [, body = ""] = /<body>\n([\s\S]*)<\/body>/.exec(html) ?? [];
    assert.deepEqual(
      [...body.matchAll(/<(\w+)/g)].map(([, tag]) => tag),
      ["main", "p", "table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "code", "pre", "code"],
    );
    const shown = hostile.replace("\n", " ");
    assert.equal(shownIn(filled(`\${contact}`, values)), shown);
    for (const value of ["- a", "1. a", "# a", "+ a", "a_b_c", "~~a~~", "\\a", "&lt;"]) {
      assert.equal(shownIn(filled(`\${contact}`, { inline: { contact: value } })), value);
    }
  });

  it("lets an admin's template put no program and no dangerous link into the page", () => {
    const html = htmlPage(
      "# A <b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](https://example.org/y.png)",
    );
    assert.match(html, /<title>A &lt;b&gt;<\/title>/);
    assert.match(html, /default-src &#39;none&#39;; style-src &#39;sha256-/);
    assert.doesNotMatch(html, /<script|href="javascript/);
  });
});
