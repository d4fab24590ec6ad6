import assert from "node:assert/strict";
import { memberPage } from "../../../../commands/board/memberPage.ts";
import { type BoardFacts, boardModel } from "../../../../commands/board/model.ts";
import { languages } from "../../../../commands/board/options.ts";
import { memberOverview } from "../members/memberOverview.ts";
import { hostile, hostileModel } from "./hostile.ts";

const facts: BoardFacts = {
  stack: "dev",
  readAt: new Date("2026-11-27T09:30:00Z"),
  members: [memberOverview("ada"), memberOverview("bob", { pods: 2 })],
  ups: [
    {
      at: "2026-11-27T09:12:00Z",
      seconds: 6,
      members: ["ada", "bob"],
      why: "ada's reason",
      outcome: "failed",
      reason: "ada/quota: refused",
      changes: [
        { operation: "create", type: "t", name: "ada/quota" },
        { operation: "update", type: "t", name: "bob/quota" },
      ],
    },
    { at: "2026-11-27T09:10:00Z", seconds: 6, members: ["ada"], why: "missing", outcome: "succeeded", changes: [] },
    {
      at: "2026-11-27T09:05:00Z",
      seconds: 6,
      members: ["bob"],
      why: "missing",
      outcome: "failed",
      reason: "no",
      changes: [],
    },
  ],
  differs: [
    { member: "ada", what: "changed", object: "ResourceQuota ada/quota" },
    { member: "bob", what: "missing", object: "Role bob/edit" },
  ],
  invitations: (member) => ({
    markdown: `# Welcome, ${member}\n\n## Sign in\n\n<b>x</b> [y](javascript:z)`,
    language: "en",
  }),
};
const page = memberPage(boardModel(facts), "bob", { language: "ja", boardHref: "../board" }) ?? "";

describe("a member's page", () => {
  it("shows nothing of other members", () => {
    assert.doesNotMatch(page, /ada/);
    assert.match(page, /<code>Role bob\/edit<\/code>|<span lang="en">Role bob\/edit<\/span>/);
    assert.deepEqual(
      [...page.matchAll(/<time datetime="([^"]*)"/g)].map(([, at]) => at),
      ["2026-11-27T09:12:00Z", "2026-11-27T09:05:00Z"],
    );
    assert.match(page, /更新 1 件: <code>bob\/quota<\/code>/);
    assert.match(page, /<p class="reason"><span lang="en">no<\/span><\/p>/);
  });

  it("shows who looks after the member, until when and why", () => {
    const staff = [
      { role: "assist", kind: "Group", name: "oidc:tas", until: "2026-12-20", reason: "<b>exams</b>" },
      { role: "view", kind: "User", name: "oidc:tina" },
    ] as const;
    const model = boardModel({ ...facts, members: [memberOverview("bob", { staff })] });
    const of = (language: "en" | "ja") => memberPage(model, "bob", { language }) ?? "";
    const lease = "assist: Group <code>oidc:tas</code> (until 2026-12-20, &lt;b&gt;exams&lt;/b&gt;)</li><li>";
    assert.ok(of("en").includes(`${lease}view: User <code>oidc:tina</code></li>`), of("en"));
    assert.match(of("ja"), /\(2026-12-20 まで、&lt;b&gt;exams/);
  });

  it("the page has the invitation in its language, with lower headings and without markup", () => {
    const [, invitation = ""] = /<div class="invitation" lang="en">([\s\S]*?)<\/div><\/section>/.exec(page) ?? [];
    assert.equal(
      invitation,
      "<h3>Welcome, bob</h3>\n<h4>Sign in</h4>\n<p>&lt;b&gt;x&lt;/b&gt; [y](javascript:z)</p>\n",
    );
    const { invitations: _, ...without } = facts;
    assert.doesNotMatch(memberPage(boardModel(without), "bob", { language: "en" }) ?? "", /The first day/);
  });

  it("takes no text for markup", () => {
    for (const language of languages) {
      const text = memberPage(hostileModel, hostile, { language, boardHref: hostile }) ?? "";
      assert.doesNotMatch(text, /<script|<img|<!--|<\/script|="?javascript:/);
      assert.ok(text.includes("&lt;script&gt;owned=1&lt;/script&gt;"));
    }
  });
});
