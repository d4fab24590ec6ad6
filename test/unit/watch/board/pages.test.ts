import assert from "node:assert/strict";
import { type BoardUp, boardModel } from "../../../../commands/board/model.ts";
import type { Language } from "../../../../commands/board/options.ts";
import { overviewsOf } from "../../../../watch/board/overviews.ts";
import { BoardPages, ownModel } from "../../../../watch/board/pages.ts";
import type { Visitor } from "../../../../watch/board/visitor.ts";
import type { Job } from "../../../../watch/schedule/jobs.ts";
import { today } from "../../samples.ts";
import { LiveStack } from "../live/liveStack.ts";
import { boardStack, lookAt } from "./stack.ts";

const stack = boardStack();
const all: Visitor = { sees: "all" };
const own = (...names: string[]): Visitor => ({
  sees: "own",
  members: names.map((name) => stack.members.find((member) => member.name === name) ?? assert.fail(name)),
});
const at = new Date("2026-06-15T12:01:00Z");
const full: Job = { kind: "full", target: undefined, refresh: true, why: "start" };
const change = (name: string) => ({ operation: "create" as const, type: "kubernetes:core/v1:ResourceQuota", name });

/** A page's HTML. */
const htmlAt = (pages: BoardPages, path: string, visitor: Visitor, language: Language) =>
  pages.at(path, visitor, language)?.bytes.toString();

describe("the pages of the watch's board", () => {
  let live: LiveStack;
  let pages: BoardPages;
  beforeEach(() => {
    live = new LiveStack(stack);
    pages = new BoardPages();
    pages.look(lookAt(live));
  });

  it("shows a person with several environments a list of these, and a page of each", () => {
    pages.look(lookAt(live));
    const both = own("bob", "carol");
    const list = htmlAt(pages, "/", both, "en") ?? "";
    assert.match(list, /\/members\/bob[\s\S]*\/members\/carol/);
    assert.doesNotMatch(list, /\bsue\b/);
    assert.match(htmlAt(pages, "/members/carol", both, "en") ?? "", /carol/);
    assert.equal(htmlAt(pages, "/members/sue", both, "en"), undefined);
  });

  it("shows admins all members on the board, each with a page of their own", () => {
    const board = htmlAt(pages, "/", all, "en") ?? "";
    for (const name of ["bob", "carol", "sue"]) {
      assert.ok(board.includes(`href="/members/${name}"`), name);
      assert.match(htmlAt(pages, `/members/${name}`, all, "en") ?? "", new RegExp(`<h1>${name} `));
    }
    assert.match(htmlAt(pages, "/members/bob", all, "en") ?? "", /<a href="\/">/);
    assert.match(htmlAt(pages, "/", all, "ja") ?? "", /<html lang="ja">/);
    const members = ["/members/", "/members/dora", "/members/bob/", "/members", "/members/__proto__"];
    for (const path of [...members, "/bob", "", "//"]) {
      assert.equal(pages.at(path, all, "en"), undefined, path);
    }
  });

  it("shows members their own page of the board alone, with nothing about others", () => {
    pages.ended(
      full,
      { outcome: "failed", reason: "carol's quota", changes: ["bob/quota", "carol/quota"].map(change) },
      3,
      at,
    );
    live.delete("ResourceQuota carol/quota", "NetworkPolicy bob/isolation");
    pages.look(lookAt(live));
    const page = htmlAt(pages, "/", own("bob"), "en") ?? "";
    assert.match(page, /<h1>bob /);
    assert.match(page, /bob\/quota/);
    assert.doesNotMatch(page, /carol|sue|tina@|href="\/"/);
    assert.equal(htmlAt(pages, "/members/bob", own("bob"), "en"), page);
    for (const path of ["/members/carol", "/members/dora", "/members/", "/x"]) {
      assert.equal(pages.at(path, own("bob"), "en"), undefined, path);
    }
  });

  it("shows on the board what differs and what ups did, the last up first", () => {
    live.delete("ResourceQuota bob/quota");
    pages.look(lookAt(live));
    pages.ended(full, { outcome: "succeeded", changes: [change("bob/namespace")] }, 21.5, at);
    pages.ended(
      { kind: "targeted", target: ["bob"], refresh: false, why: "missing" },
      { outcome: "locked", by: "ann@laptop", locks: [] },
      0.2,
      at,
    );
    for (let more = 0; more < 30; more++) {
      pages.ended(full, { outcome: "cancelled", changes: [] }, 1, at);
    }
    const board = htmlAt(pages, "/", all, "en") ?? "";
    assert.match(board, /ResourceQuota bob\/quota/);
    assert.doesNotMatch(board, /ann@laptop/);
    pages.ended(full, { outcome: "locked", by: "ann@laptop", locks: [] }, 1, at);
    assert.match(htmlAt(pages, "/", all, "en") ?? "", /locked by ann@laptop/);
  });

  it("makes a page of the board once for each comparison and for each up that has ended", () => {
    const made = () => pages.at("/", all, "en");
    const before = made();
    assert.equal(made(), before);
    pages.look(lookAt(live));
    const looked = made();
    assert.notEqual(looked, before);
    assert.equal(looked?.etag, before?.etag);
    pages.ended(full, { outcome: "succeeded", changes: [] }, 1, at);
    assert.notEqual(made()?.etag, before?.etag);
  });

  it("takes no text on a page of the board for markup", () => {
    const page = htmlAt(pages, "/", own("bob"), "en") ?? "";
    assert.match(page, /&lt;b&gt;Tina&lt;\/b&gt; &amp; co/);
    assert.doesNotMatch(page, /<b>Tina/);
    const reason = "<script>alert(1)</script><img src=x onerror=alert(1)>";
    pages.ended(full, { outcome: "failed", reason, changes: [change(`bob/"><script>`)] }, 1, at);
    const board = htmlAt(pages, "/", all, "en") ?? "";
    assert.doesNotMatch(board, /<script|<img/);
    assert.match(board, /&lt;script&gt;alert/);
    assert.doesNotMatch(htmlAt(pages, "/", own("bob"), "en") ?? "", /<script|<img/);
  });
});

const quota = (name: string) => ({ operation: "update" as const, type: "kubernetes:core/v1:ResourceQuota", name });
const up: BoardUp = {
  at: "2026-06-15T12:01:00.000Z",
  seconds: 3,
  members: undefined,
  why: "configuration",
  outcome: "failed",
  reason: "carol/quota: no room",
  changes: [quota("carol/quota"), quota("bob/quota"), quota("bobby/quota")],
};

describe("a member's part of the board", () => {
  it("keeps others, and what members share, out of a member's own board", () => {
    const { plan } = lookAt(new LiveStack(stack));
    const whole = boardModel({
      ...{ stack: "dev", readAt: new Date(), members: overviewsOf(plan, today) },
      labels: new Map([["bob", { probation: "yes" }]]),
      ups: [{ ...up, changes: [quota("carol/quota")] }, up, { ...up, members: ["bob"], changes: [] }],
      differs: ["bob", "carol", undefined].map((member) => ({
        member,
        what: "missing",
        object: `Of ${member ?? "sue"}`,
      })),
    });
    const own = ownModel(whole, ["bob"]);
    assert.deepEqual(
      own.members.map(({ member, differs }) => [member, differs]),
      [["bob", [{ member: "bob", what: "missing", object: "Of bob" }]]],
    );
    const { reason: _, ...rest } = up;
    assert.deepEqual(own.ups, [
      { ...rest, members: ["bob"], why: "", changes: [quota("bob/quota")] },
      { ...rest, members: ["bob"], changes: [] },
    ]);
    assert.doesNotMatch(JSON.stringify(own), /carol|sue|bobby|probation/);
    assert.deepEqual(ownModel(whole, ["eve"]).members, []);
  });
});
