import assert from "node:assert/strict";
import { commentPicture } from "../../../../scaffold/pictures/comment.ts";
import { linesOf, widthOf } from "../../../../scaffold/pictures/svg.ts";
import { terminalPicture } from "../../../../scaffold/pictures/terminal.ts";

/** The texts of a picture from top to bottom, as a person sees them. */
const textsOf = (svg: string) =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text = ""]) =>
    text
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&amp;", "&"),
  );

const report = `<!-- kubecamp report: prod -->
### kubecamp: stack prod

**1 leaves**

> [!CAUTION]
> **Leaving: 1 namespace is deleted.** That is all.
>
> | member | what goes |
> |---|---|
> | carol | a & b < c |

#### Changing (1)

| member | what changes |
|---|---|
| bob | images + nginx:1.\\*<br>PVCs 5 → 10 |

#### Routes (1)

| member | where |
|---|---|
| dan | <https://camp.test/dan/> |

<details><summary>Pending (1)</summary>

| member | why |
|---|---|
| alice | no Service |

</details>
`;

describe("the picture of a comment", () => {
  it("has what the report says, and the names of the sections that it leaves out", () => {
    assert.deepEqual(textsOf(commentPicture(report)), [
      "github-actions commented on a pull request that edits the list of members",
      "kubecamp: stack prod",
      "1 leaves",
      "Caution",
      "Leaving: 1 namespace is deleted. That is all.",
      ...["member", "what goes", "carol", "a & b < c"],
      "Changing (1)",
      ...["member", "what changes", "bob", "images + nginx:1.*", "PVCs 5 → 10"],
      "Further down: Routes (1), Pending (1)",
    ]);
  });

  it("breaks lines where the next word has no room", () => {
    const text = "one two three four five six";
    const lines = linesOf(text, 80, 13);
    assert.equal(lines.join(" "), text);
    assert.ok(lines.length > 1);
    for (const line of lines) assert.ok(widthOf(line, 13) <= 80, line);
  });
});

describe("the picture of a terminal", () => {
  it("has the command, and each line of its output a moment after the one before", () => {
    const svg = terminalPicture("A title", "npm run sandbox", "✔ Tools\n\nMEMBER  TYPE");
    assert.deepEqual(textsOf(svg), ["$", "npm run sandbox", "✔", "Tools", "", "MEMBER  TYPE"]);
    const delays = [...svg.matchAll(/animation-delay: ([\d.]+)s/g)].map(([, seconds]) => Number(seconds));
    assert.deepEqual(delays, [0, 0.35, 0.7, 1.05]);
  });
});
