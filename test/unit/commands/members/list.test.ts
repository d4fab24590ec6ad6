import assert from "node:assert/strict";
import { chosen, isExpiring, membersJson } from "../../../../commands/members/list.ts";
import type { Selector } from "../../../../config/values/selector.ts";
import { route } from "../../samples.ts";
import { project, useFolder } from "../../testFolder.ts";
import { stackFile } from "../stackFile.ts";
import { memberOverview } from "./memberOverview.ts";

describe("kubecamp members --expiring", () => {
  const isListed = (more: Parameters<typeof memberOverview>[1], days = 14) =>
    isExpiring(memberOverview("bob", more), "2026-06-15", days);

  it("lists who has a last day from today on to the last of these days", () => {
    assert.deepEqual(
      ["2026-06-14", "2026-06-15", "2026-06-29", "2026-06-30", undefined].map((expires) => isListed({ expires })),
      [false, true, true, false, false],
    );
    assert.deepEqual([isListed({ expires: "2026-06-15" }, 0), isListed({ expires: "2026-06-16" }, 0)], [true, false]);
  });

  it("lists members who have access, also while they sleep", () => {
    assert.deepEqual(
      (["ready", "pending", "asleep", "suspended", "expired", "leaving"] as const).map((state) =>
        isListed({ state, expires: "2026-06-16" }),
      ),
      [true, true, true, false, false, false],
    );
  });
});

describe("members' labels in a listing", () => {
  const folder = useFolder({
    ...project,
    "Pulumi.dev.yaml": stackFile({
      route,
      members: [
        { member: "ada", type: "admin", labels: { course: "cs101" } },
        { member: "bob", type: "user", labels: { course: "cs102" } },
        { member: "cyd", type: "user" },
      ],
    }),
  });
  const [ada, bob, cyd, gone] = [
    memberOverview("ada", { type: "admin" }),
    memberOverview("bob"),
    memberOverview("cyd"),
    memberOverview("gone"),
  ];
  const elsewhere = memberOverview("joe", { stack: "other" });

  it("are those of the list, and null for who is in no list of this folder", () => {
    assert.deepEqual(
      membersJson([ada, cyd, gone, elsewhere], undefined, folder.path).map(({ member, labels }) => [member, labels]),
      [
        ["ada", { course: "cs101" }],
        ["cyd", {}],
        ["gone", null],
        ["joe", null],
      ],
    );
  });

  it("choose who is listed", () => {
    const listed = (where: Selector | undefined, all = [ada, bob, cyd, gone]) =>
      chosen(all, { stack: "dev", ...(where && { where }) }, folder.path).map(({ member }) => member);
    assert.deepEqual(listed(undefined), ["ada", "bob", "cyd", "gone"]);
    assert.deepEqual(listed({ labels: { course: "cs101" } }), ["ada"]);
    assert.deepEqual(listed({ types: ["user"], labels: { course: "cs102" } }), ["bob"]);
    assert.throws(
      () => listed({ labels: { course: "cs103" } }),
      /^Problem: There is no member with labels\.course=cs103/,
    );
    assert.deepEqual(listed({ labels: { course: "cs103" } }, []), []);
  });

  it("are not guessed for a stack whose file is elsewhere, whose types are known all the same", () => {
    const of = (where: Selector) => () => chosen([elsewhere], { where }, folder.path);
    assert.throws(of({ labels: { course: "cs101" } }), /^Problem: There is no stack 'other' in this folder/);
    assert.deepEqual(of({ types: ["user"], labels: {} })(), [elsewhere]);
  });
});
