import assert from "node:assert/strict";
import { membersPage, stackFacts } from "../../../../commands/members/board.ts";
import { route } from "../../samples.ts";
import { project, useFolder } from "../../testFolder.ts";
import { stackFile } from "../stackFile.ts";
import { memberOverview } from "./memberOverview.ts";

describe("what stacks' files add to the board", () => {
  const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich", wakeFor: "2h" };
  const user = (member: string, more: object = {}) => ({ member, type: "user", ...more });
  const now = new Date("2026-11-27T09:30:00Z");
  const home = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({
    metadata: { name, annotations },
  });

  const folder = useFolder({
    ...project,
    "Pulumi.dev.yaml": stackFile({
      route,
      members: [
        user("ada", { labels: { course: "cs102" }, schedule }),
        user("joe"),
        user("eve", { labels: { course: "x" } }),
      ],
    }),
    "Pulumi.prod.yaml": stackFile({
      ...{ route, shards: 2 },
      members: [user("bob", { labels: { course: "cs101" } }), user("joe")],
    }),
    "Pulumi.prod-0.yaml": stackFile({ shardOf: "prod" }),
    "Pulumi.prod-1.yaml": stackFile({ shardOf: "prod" }),
  });

  const of = (stack: string, member: string) => memberOverview(member, { stack });

  it("facts of stacks' files are labels and times of sleep, of members whose stack has them", () => {
    const members = [of("dev", "ada"), of("dev", "joe"), of("prod-1", "bob"), of("prod-0", "eve"), of("other", "kay")];
    assert.deepEqual(
      stackFacts(
        { members, namespaces: members.map(({ member }) => home(member)), stack: undefined },
        folder.path,
        now,
      ),
      {
        labels: new Map([
          ["ada", { course: "cs102" }],
          ["joe", {}],
          ["bob", { course: "cs101" }],
        ]),
        turns: new Map([["ada", { to: "asleep", at: "2026-11-27T19:00:00.000Z", timeZone: "Europe/Zurich" }]]),
        unread: ["other: There is no stack 'other' in this folder."],
      },
    );
  });

  it("facts of stacks' files are when sleepers wake, and when being kept awake ends", () => {
    const night = new Date("2026-11-27T22:00:00Z");
    const turn = (annotations: Readonly<Record<string, string>>) =>
      stackFacts(
        { members: [of("dev", "ada")], namespaces: [home("ada", annotations)], stack: "dev" },
        folder.path,
        night,
      ).turns.get("ada");
    const at = "2026-11-28T06:00:00.000Z";
    assert.deepEqual(turn({}), { to: "awake", at, timeZone: "Europe/Zurich", wakeFor: "2h" });
    assert.deepEqual(turn({ "kubecamp.dev/own-wakes": "2026-11-27T19:30:00.000Z" }), {
      to: "awake",
      at,
      timeZone: "Europe/Zurich",
    });
    assert.deepEqual(turn({ "kubecamp.dev/awake-until": "2026-11-27T23:00:00.000Z" }), {
      to: "asleep",
      at: "2026-11-27T23:00:00.000Z",
      timeZone: "Europe/Zurich",
    });
  });

  it("facts of stacks' files are on the page of members -o html, which says what is missing", () => {
    const members = [of("dev", "ada"), of("other", "kay")];
    const listed = { members, namespaces: members.map(({ member }) => home(member)), stack: undefined };
    const { text, notes } = membersPage(listed, { language: "en" }, folder.path, now);
    assert.match(text, /<title>Members<\/title>/);
    assert.match(text, /<code>course: cs102<\/code>/);
    assert.match(text, /<dt>Sleep<\/dt><dd>falls asleep on 2026-11-27 20:00 Europe\/Zurich<\/dd>/);
    assert.deepEqual(notes, [
      "Note: the page has no labels and no times of sleep of stack other: There is no stack 'other' in this folder.",
    ]);
  });

  it("facts of stacks' files tell on that page who sleeps and may wake how to", () => {
    const listed = { members: [of("dev", "ada")], namespaces: [home("ada")], stack: "dev" };
    const { text } = membersPage(listed, { language: "en" }, folder.path, new Date("2026-11-27T22:00:00Z"));
    assert.match(text, /To wake for 2h: <code>kubectl create configmap wake -n ada<\/code>/);
  });

  it("group that page by a label, which somebody has to have", () => {
    const listed = { members: [of("dev", "ada"), of("dev", "joe")], namespaces: [], stack: "dev" };
    const page = (by: string) => membersPage(listed, { language: "en", by }, folder.path, now).text;
    assert.match(
      page("course"),
      /<title>Members of dev<\/title>.*<h3 id="group-0">cs102 .*<h3 id="group-1">\(none\) /s,
    );
    assert.throws(() => page("corse"), /No member has the label 'corse'; did you mean 'course'\?/);
  });
});
