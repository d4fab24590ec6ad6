import assert from "node:assert/strict";
import { htmlPage } from "../../../../../commands/members/invitation/html.ts";
import { filledTemplate, parseTemplate } from "../../../../../commands/members/invitation/template.ts";
import { plainText } from "../../../../../commands/members/invitation/text.ts";
import type { InvitationValues } from "../../../../../commands/members/invitation/values.ts";

const filled = (template: string, values: Partial<InvitationValues> = {}) =>
  filledTemplate(parseTemplate(template, "welcome.md"), { inline: {}, blocks: {}, ...values });

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
      ["p", "div", "table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td", "code", "pre", "code"],
    );
    const shown = hostile.replace("\n", " ");
    assert.equal(plainText(filled(`\${contact}`, values)).replaceAll("\n", " ").trim(), shown);
    for (const value of ["- a", "1. a", "# a", "+ a", "a_b_c", "~~a~~", "\\a", "&lt;"]) {
      assert.equal(plainText(filled(`\${contact}`, { inline: { contact: value } })), `${value}\n`);
    }
  });

  it("lets an admin's template put no program and no dangerous link into the page", () => {
    const html = htmlPage(
      "# A <b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![y](https://example.org/y.png)",
    );
    assert.match(html, /<title>A &lt;b&gt;<\/title>/);
    assert.match(html, /default-src 'none'; style-src 'unsafe-inline'/);
    assert.doesNotMatch(html, /<script|href="javascript/);
  });

  it("becomes text of at most 80 characters a line, except code", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const text = plainText(
      `# A\n\n${words}\n\n- ${words}\n- two\n  - three\n\n1. one\n\n> ${words}\n\n| a | b |\n|---|---|\n| c | ${words} |\n\n---\n\n\`\`\`\n${words}\n\`\`\`\n`,
    );
    const long = text.split("\n").filter((line) => line.length > 80);
    assert.deepEqual(long, [words]);
    assert.match(text, /^A\n=\n\nword0 /);
    assert.match(text, /\n- two\n {2}- three\n\n1\. one\n\n\| word0/);
    assert.match(text, /\na {2}b\nc {2}word0 .*\n {3}word/);
    assert.equal(
      plainText("[a](https://a.example) <https://b.example> `c d` **e**"),
      "a <https://a.example> https://b.example 'c d' e\n",
    );
  });
});
