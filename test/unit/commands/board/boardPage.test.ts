import assert from "node:assert/strict";
import { boardPage } from "../../../../commands/board/boardPage.ts";
import { type BoardFacts, type BoardMember, type BoardModel, boardModel } from "../../../../commands/board/model.ts";
import { languages } from "../../../../commands/board/options.ts";
import { wordsIn } from "../../../../commands/board/parts/texts.ts";
import type { MemberOverview } from "../../../../plan/members/overview.ts";
import { memberOverview } from "../members/memberOverview.ts";
import { hostile, hostileModel } from "./hostile.ts";

const modelOf = (members: readonly MemberOverview[], more: Partial<BoardFacts> = {}): BoardModel =>
  boardModel({ stack: "dev", readAt: new Date("2026-11-27T09:30:00Z"), ups: undefined, members, ...more });
const route = { host: "camp.test", path: "/bob" };
const usage = { "limits.cpu": { used: "250m", hard: "1" }, "limits.memory": { used: "512Mi", hard: "1Gi" } };
const bob = memberOverview("bob", { route, expires: "2026-12-31", pods: 2, usage });

const pageOf = (model: BoardModel, more: Partial<Parameters<typeof boardPage>[1]> = {}) =>
  boardPage(model, { language: "en", ...more });
describe("the board's page", () => {
  it("the page has a line for each member, with what is known of them behind it", () => {
    const page = pageOf(modelOf([bob]), { memberHref: (name) => `members/${name}` });
    assert.equal(
      page.replace(/<style>[^<]*<\/style>/, "<style></style>").replace(/ content="default-src[^>]*>/, ">"),
      `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Members of dev</title>
<style></style>
</head>
<body>
<a class="skip" href="#members">Skip to the members</a>
<header><h1>Members of dev</h1>
<p>1 member · As the cluster was on 2026-11-27 09:30 UTC</p>
<nav aria-label="On this page"><ul class="tiles"><li><a href="#group-0"><b>1</b> ready</a></li></ul>
<ul class="links"><li><a href="#labels">By label</a></li></ul></nav></header>
<main>
<section id="members" tabindex="-1"><h2>Members</h2>
<h3 id="group-0">ready <span class="quiet">1</span></h3>
<ul class="members"><li><details><summary>
<span class="name"><b>bob</b> <span class="quiet">user</span></span>
<span class="state"><span class="badge ready">ready</span></span>
${meter("CPU", "250m / 1", 25)}
${meter("Memory", "512Mi / 1Gi", 50)}
<span class="path"><span class="label">Path </span>/bob</span>
<span class="expires"><span class="label">Last day </span>2026-12-31</span>
</summary>
<div class="inside"><dl><dt>Path</dt><dd>open <a href="https://camp.test/bob/" rel="noreferrer">https://camp.test/bob/</a></dd>\
<dt>Namespace</dt><dd><code>bob</code></dd><dt>Type</dt><dd>user</dd><dt>Last day</dt><dd>2026-12-31</dd></dl>\
<table class="meters"><thead><tr><th scope="col">Resource</th><th scope="col" class="figure">In use / limit</th><th scope="col">Share</th></tr></thead>\
<tbody><tr><th scope="row">CPU</th><td class="figure">250m / 1</td><td>25 %${bar(25)}</td></tr>\
<tr><th scope="row">Memory</th><td class="figure">512Mi / 1Gi</td><td>50 %${bar(50)}</td></tr></tbody></table>\
<p><a href="members/bob">Own page: bob</a></p></div></details></li>
</ul>
</section>
<section id="labels"><h2>By label</h2><details class="sums"><summary>Type <span class="quiet">1</span></summary>\
<table><thead><tr><th scope="col">Type</th><th scope="col" class="figure">Members</th><th scope="col" class="figure">ready</th>\
<th scope="col">CPU</th><th scope="col">Memory</th></tr></thead><tbody><tr><th scope="row">user</th><td class="figure">1</td>\
<td class="figure">1</td><td>${meter("CPU", "250m / 1", 25)}</td><td>${meter("Memory", "512Mi / 1Gi", 50)}</td></tr></tbody></table></details></section>


</main>
<footer><h2>What the states mean</h2><dl><dt>ready</dt><dd>The path is open, or the member is to have none.</dd></dl></footer>
</body>
</html>
`,
    );
  });

  it("takes no text for markup, whatever it is and whose", () => {
    for (const language of languages) {
      for (const by of [undefined, hostile, "type"]) {
        const page = boardPage(hostileModel, { language, memberHref: (name) => name, ...(by && { by }) });
        assert.doesNotMatch(page, /<script|<img|<!--|<\/script|="?javascript:|onerror="/);
        assert.ok(page.includes("&lt;script&gt;owned=1&lt;/script&gt;"));
      }
    }
  });

  it("links only to web pages", () => {
    const hrefs = (host: string, path: string) =>
      [...pageOf(modelOf([{ ...bob, route: { host, path } }])).matchAll(/href="([^"#]+)"/g)].map(([, href]) => href);
    assert.deepEqual(hrefs("camp.test", "/bob"), ["https://camp.test/bob/"]);
    assert.deepEqual(hrefs('camp.test" onclick="alert(1)', "/"), []);
    const own = (href: string) => pageOf(modelOf([bob]), { memberHref: () => href });
    assert.match(own("../members/bob?lang=en"), /<a href="..\/members\/bob\?lang=en">Own page/);
    assert.match(own("javascript:alert(1)"), /<p>Own page: bob<\/p>/);
  });

  it("shows every state, those first that somebody may have to look at, and what it means", () => {
    const states = Object.keys(wordsIn.en.states) as BoardMember["state"][];
    const members = states.map((state) => memberOverview(`is-${state}`, { state }));
    for (const language of languages) {
      const page = boardPage(modelOf(members), { language });
      for (const state of states) {
        const { states, meanings } = wordsIn[language];
        assert.ok(page.includes(`<span class="badge ${state}">${states[state]}</span>`), state);
        assert.ok(page.includes(`<dt>${states[state]}</dt><dd>${meanings[state]}</dd>`), state);
      }
      assert.deepEqual(
        [...page.matchAll(/<b>is-(\w+)<\/b>/g)].map(([, state]) => state),
        ["pending", "leaving", "expired", "suspended", "asleep", "ready"],
      );
    }
  });

  it("shows a path's state and reason", () => {
    const reason = "no Service 'bob-svc' in namespace 'bob'";
    const rows: readonly [Partial<MemberOverview>, string, RegExp][] = [
      [
        { route, state: "pending", reason },
        '/bob <span class="quiet">open, with a problem</span>',
        /<dd>open, with a problem <a/,
      ],
      [
        { state: "pending", reason },
        '<span class="quiet">not open yet</span>',
        /<dt>Reason<\/dt><dd>no Service &#39;bob-svc&#39;/,
      ],
      [{ state: "suspended" }, '<span class="quiet">closed</span>', /<dd>closed<\/dd>/],
      [{ route: { host: "bob.camp.test", path: "/" } }, "bob.camp.test", /href="https:\/\/bob.camp.test\/"/],
    ];
    for (const [more, cell, detail] of rows) {
      const page = pageOf(modelOf([memberOverview("bob", more)]));
      assert.ok(page.includes(`<span class="label">Path </span>${cell}</span>`), cell);
      assert.match(page, detail);
    }
  });

  it("groups by a label, with those without it last, and sums up each label", () => {
    const members = ["ada", "bob", "cyd"].map((name) => memberOverview(name, { usage }));
    const labels = new Map(["ada", "cyd"].map((name) => [name, { course: "cs101" }]));
    const page = pageOf(modelOf(members, { labels }), { by: "course" });
    assert.deepEqual(
      [...page.matchAll(/<h3 id="group-(\d)">(\S+) /g)].map(([, at, title]) => [at, title]),
      [
        ["0", "cs101"],
        ["1", "(none)"],
      ],
    );
    assert.match(
      page,
      /<th scope="row">cs101<\/th><td class="figure">2<\/td><td class="figure">2<\/td><td>.*500m \/ 2/,
    );
  });

  it("shows what differs, and the last runs with what they did, if that is known", () => {
    const differs = [
      { member: "bob", what: "changed", object: "ResourceQuota bob/quota" },
      { member: undefined, what: "missing", object: "ClusterRole kubecamp-dev-view" },
    ] as const;
    const run = { at: "2026-11-27T09:12:34.567Z", seconds: 6.4, members: ["bob"], why: "changed", reason: "refused" };
    const changes = ["create", "create", "delete"].map((operation) => ({ operation, type: "t", name: "bob/quota" }));
    const ups = [{ ...run, outcome: "failed", changes }] as BoardFacts["ups"];
    const known = pageOf(modelOf([bob], { differs, ups }));
    for (const part of [
      "<dt>for all members</dt><dd><ul><li>missing: <code>ClusterRole kubecamp-dev-view",
      "<dt>bob</dt><dd><ul><li>changed: <code>ResourceQuota bob/quota</code>",
      '<span class="badge differs">1 difference</span>',
      '">2026-11-27 09:12 UTC</time> <b class="failed">failed</b> bob, changed',
      '2 created, 1 deleted, 6 s</span></summary><div class="inside"><p class="reason">refused</p>',
    ]) {
      assert.ok(known.includes(part), part);
    }
    const none = pageOf(modelOf([bob], { differs: [], ups: [] }));
    assert.match(none, /Everything is as declared\..*There were no runs yet\./s);
    assert.doesNotMatch(pageOf(modelOf([bob])), /What differs|Last runs/);
  });
});

function bar(width: number): string {
  return `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="1"/></svg>`;
}

function meter(title: string, figures: string, width: number): string {
  return `<span class="meter"><span class="label">${title} </span>${figures}${bar(width)}</span>`;
}
