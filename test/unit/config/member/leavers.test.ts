import assert from "node:assert/strict";
import type { KeptHome } from "../../../../config/member/leavers.ts";
import type { Member } from "../../../../config/member/member.ts";
import { configuration, cosi, mistakes, storage, today } from "../../samples.ts";

const ana = { member: "ana", type: "user" };
const plain = { member: "bob", type: "user", subject: "bob@example.org" };
const bob = { ...plain, maxCPUm: 900, labels: { course: "cs101" }, expires: "2026-05-01" };
const grace = { graceDays: 30 };
const { users: _, ...server } = storage;
const data = [{ name: "data" }];
const bucketKeys = { bob: { accessKeyId: "BOB", secretAccessKey: "y" } };

const template = { spec: { containers: [{ name: "tutor", image: "tutor" }] } };
const documents = [
  { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "tutor" }, spec: { template } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "course" } },
].map((value, line) => ({ value, line }));
const objects = new Map([["a.yaml", { documents, mistakes: [] }]]);

/** Members of a configuration with these namespaces on the cluster, or its mistakes. */
const membersOf = (members: readonly object[], homes?: readonly KeptHome[], raw: object = {}): readonly Member[] =>
  configuration({ offboarding: grace, members, ...raw }, { homes, objects }).members;
const mistakesOf = (members: readonly object[], homes?: readonly KeptHome[], raw: object = {}): string[] =>
  mistakes({ offboarding: grace, members, ...raw }, { homes, objects });

const namesOf = (members: readonly Member[]) => members.map(({ name }) => name);
const home = (more: Partial<KeptHome> = {}): KeptHome => ({
  ...{ member: "bob", protect: false, entry: JSON.stringify(bob) },
  ...more,
});
/** As it is kept of another entry. */
const kept = (entry: object, more: Partial<KeptHome> = {}) => home({ entry: JSON.stringify(entry), ...more });
const { entry: __, ...unkept } = home();
/** Of whom no run has kept the entry. */
const lost: KeptHome = unkept;

describe("a member's entry, for the time after they leave the list", () => {
  it("keeps a member's entry on the cluster where there is a grace, and nowhere else", () => {
    const entries = membersOf([bob], undefined).map(({ entry }) => JSON.parse(entry ?? ""));
    assert.deepEqual(entries, [bob]);
    for (const offboarding of [{}, { graceDays: 0 }]) {
      assert.equal("entry" in (membersOf([bob], undefined, { offboarding })[0] ?? {}), false);
    }
  });

  it("keeps no entry of a member if Pulumi encrypts a part of it", () => {
    const isSecret = ([key, at]: readonly PropertyKey[]) => key === "members" && at === 1;
    const { members } = configuration({ offboarding: grace, members: [ana, plain] }, { isSecret });
    const isKept = members.map(({ name, entry }) => [name, entry !== undefined]);
    assert.deepEqual(Object.fromEntries(isKept), { ana: true, bob: false });
  });

  it("refuses a member's entry above 64 KiB where there is a grace", () => {
    assert.match(
      mistakesOf([{ ...bob, groups: [...Array(80).keys()].map((at) => `${at}`.padEnd(900, "g")) }], [])[0] ?? "",
      /^members\[0\]: takes 71 KiB; with offboarding.graceDays an entry has at most 64, because it is kept on the cluster/,
    );
  });
});

describe("who has left the list", () => {
  it("plans a leaver as they were, suspended, with the day of their removal", () => {
    const [wanted] = membersOf([bob]);
    const { entry = "" } = wanted ?? {};
    const [, left] = membersOf([ana], [home({ entry })]);
    assert.deepEqual(left, { ...wanted, standing: "suspended", leaves: "2026-07-15" });
  });

  it("applies today's settings to a leaver, such as their type's limits", () => {
    const memberTypes = { user: { defaults: { maxCPUm: 333 } } };
    const [, left] = membersOf([ana], [kept(plain)], { memberTypes });
    assert.equal(left?.limits.maxCpuMillicores, 333);
  });

  it("takes a leaver's last day from the namespace, whatever graceDays and the clock say by now", () => {
    for (const graceDays of [1, 3650]) {
      const [, left] = membersOf([ana], [home({ leaves: "2026-06-16" })], { offboarding: { graceDays } });
      assert.equal(left?.leaves, "2026-06-16");
    }
    assert.equal(membersOf([ana], [home({ leaves: "2026-02-30" })])[1]?.leaves, "2026-07-15");
  });

  it("removes a leaver on the day, without a grace, or at once by offboarding.removeNow", () => {
    for (const leaves of ["2026-06-15", "2026-06-14"]) {
      assert.deepEqual(namesOf(membersOf([ana], [home({ leaves })])), ["ana"]);
    }
    for (const offboarding of [{}, { graceDays: 0 }, { ...grace, removeNow: ["bob"] }]) {
      assert.deepEqual(namesOf(membersOf([ana], [home()], { offboarding })), ["ana"]);
    }
  });

  it("gives a protected leaver no grace: their removal is refused at once", () => {
    assert.deepEqual(namesOf(membersOf([ana], [home({ protect: true })])), ["ana"]);
  });

  it("plans a leaver as before once they are back", () => {
    assert.deepEqual(membersOf([bob], [home({ leaves: "2026-06-16" })]), membersOf([bob], undefined));
  });

  it("ends a leaver's access as staff, unless they are in the list under another name", () => {
    const staff = [{ subject: "bob@example.org", role: "edit" }];
    const staffOf = (members: readonly object[]) =>
      Object.fromEntries(
        membersOf(members, [home()], { staff }).map((member) => [member.name, member.staff?.edit?.length ?? 0]),
      );
    assert.deepEqual(staffOf([ana]), { ana: 0, bob: 0 });
    const listed = [ana, { ...bob, member: "rob", expires: "2027-01-01" }];
    assert.deepEqual(staffOf(listed), { ana: 1, rob: 0, bob: 0 });
  });

  it("stops every run if nobody knows how a leaver was", () => {
    const why = (kept: KeptHome) => mistakesOf([ana], [kept]);
    const wayOut =
      "Put the entry back, run 'pulumi up' and then remove it; or delete everything of 'bob' now: add the name to offboarding.removeNow";
    const saying = (reason: string) => [
      `members: has no 'bob' any more, who is to be suspended until 2026-07-15 (offboarding.graceDays), and ${reason}. ${wayOut}`,
    ];
    assert.deepEqual(why(lost), saying("no run has kept the entry (none keeps one with 'secure:' values)"));
    assert.deepEqual(why(home({ entry: "{" })), saying("the entry that was kept can't be read"));
    for (const [entry, reason] of [
      [{ ...bob, type: "tutor" }, "has the type 'tutor', which the stack has no more"],
      [{ ...bob, maxCPU: 1 }, "is not valid any more: is no setting here; did you mean 'maxCPUm'?"],
      [ana, "is another member's"],
    ] as const) {
      assert.deepEqual(why(kept(entry)), saying(`the entry that was kept ${reason}`));
    }
    assert.deepEqual(mistakesOf([ana], [lost], { offboarding: { ...grace, removeNow: ["bob"] } }), []);
  });

  it("names one way out for a leaver without an entry where there is an archive", () => {
    for (const more of [{}, { removeNow: ["bob"] }]) {
      const offboarding = { ...grace, archive: { bucket: "kept" }, ...more };
      assert.deepEqual(mistakesOf([ana], [lost], { offboarding, storage: server }), [
        "members: has no 'bob' any more, who is to be suspended until 2026-07-15 (offboarding.graceDays), and no run has kept the entry (none keeps one with 'secure:' values). " +
          "Put the entry back, run 'pulumi up' and then remove it: without it nobody can be suspended and archived (offboarding.archive)",
      ]);
    }
  });

  it("lets staff only look at a leaver's: changes would be lost, or missing in the archive", () => {
    const people = ["view", "assist", "edit"].map((role) => ({ subject: role, role }));
    const staff = [...people, { serviceAccount: "hub/hub", role: "spawn" }];
    const of = (members: readonly object[]) =>
      membersOf(members, [home()], { staff }).find(({ name }) => name === "bob")?.staff;
    const subjects = (names: readonly string[]) => names.map((name) => ({ kind: "User", name: `oidc:${name}` }));
    assert.deepEqual(of([ana]), { view: subjects(["assist", "edit", "view"]) });
    const each = Object.fromEntries(["view", "assist", "edit"].map((role) => [role, subjects([role])]));
    assert.deepEqual(of([bob]), { ...each, spawn: [{ kind: "User", name: "system:serviceaccount:hub:hub" }] });
  });
});

describe("what is given to who has left", () => {
  const objects = [{ file: "a.yaml" }];
  const titlesOf = (given?: readonly string[], raw: object = { objects }) =>
    membersOf([ana], [home({ ...(given && { given }) })], raw)[1]?.objects?.map(({ kind, name }) => `${kind} ${name}`);

  it("gives a leaver what they had, and nothing new", () => {
    assert.deepEqual(titlesOf(["configmaps/course"]), ["ConfigMap course"]);
    assert.equal(titlesOf(), undefined);
    assert.deepEqual(titlesOf(["secrets/x"], { objects: [{ copy: "Secret platform/x" }, ...objects] }), ["Secret x"]);
  });

  it("refuses a leaver's objects that admission refuses for all, with the day and the ways out", () => {
    const images = ["nginx"];
    const raw = { objects, images: ["nginx", "tutor"] };
    const limited = kept({ ...bob, images }, { given: ["deployments/tutor"] });
    const why = "(in grace until 2026-07-15: leave them out in for, or add the name to offboarding.removeNow)";
    assert.deepEqual(mistakesOf([ana], [limited], raw), [
      `objects[0].file: "a.yaml" Deployment 'tutor': spec.template.spec.containers[0].image: 'tutor' is not among the member's images (nginx) ('bob') ${why}`,
    ]);
    assert.deepEqual(mistakesOf([ana], [kept({ ...bob, images })], raw), []);
  });

  it("refuses a bucket of a leaver that a member of the list would have too", () => {
    const of = (buckets: readonly object[], left: object = {}, server: object = storage) => {
      const leaving = kept({ ...bob, buckets: [{ name: "data", ...left }] }, { leaves: "2026-07-15" });
      return mistakesOf([{ ...ana, buckets }], [leaving], { storage: server });
    };
    const why =
      "is the name on the server of a bucket of 'bob', who is in grace until 2026-07-15; set another bucketName, or add 'bob' to offboarding.removeNow (member 'ana')";
    assert.deepEqual(of([{ name: "x" }, { name: "data", bucketName: "bob-data" }]), [
      `members[0].buckets[1].bucketName: "bob-data" ${why}`,
    ]);
    assert.deepEqual(of([{ name: "x" }], { bucketName: "ana-x" }), [`members[0].buckets[0].name: "ana-x" ${why}`]);
    assert.deepEqual([of(data), of(data, {}, cosi)], [[], []]);
  });
});

describe("the name of who is in their grace", () => {
  const leaving = home({ leaves: "2026-07-15" });

  it("refuses another person the name of somebody in their grace", () => {
    const why =
      "is another person than 'bob@example.org', who left the list as 'bob' and has the namespace until 2026-07-15. " +
      "Choose another name for the new member. If it is the same person, put the old subject back, run 'pulumi up', then change it";
    assert.deepEqual(mistakesOf([{ ...bob, subject: "eve@example.org" }], [leaving]), [
      `members[0].subject: "eve@example.org" ${why} (member 'bob')`,
    ]);
    assert.deepEqual(mistakesOf([{ member: "bob", type: "user" }], [leaving]), [`members[0].member: "bob" ${why}`]);
  });

  it("leaves the name to the person in their grace, and to anybody once nobody holds it", () => {
    assert.deepEqual(mistakesOf([{ ...bob, maxCPUm: 500, type: "admin" }], [leaving]), []);
    assert.deepEqual(mistakesOf([{ ...bob, subject: "eve@example.org" }], [home()]), []);
  });
});

describe("who has left a list with an archive", () => {
  const archive = { bucket: "kept" };
  const over = "2026-06-15";
  const mark = { bucket: "kept", prefix: "dev/bob/", sha256: "0", leaves: over, asked: "retain", state: "0" };
  const of = (kept: KeptHome, offboarding: object = {}) =>
    membersOf([ana], [kept], { storage: server, offboarding: { ...grace, archive, ...offboarding } })
      .slice(1)
      .map(({ leaves, standing, isUnarchived = false }) => [leaves, standing, isUnarchived]);

  it("keeps a leaver after their day until they are archived", () => {
    assert.deepEqual(of(home({ leaves: over })), [[over, "suspended", true]]);
    assert.deepEqual(of(home({ leaves: over, archive: mark })), []);
    // Somebody has changed what was archived.
    assert.deepEqual(of(home({ leaves: over, archive: mark, isChanged: true })), [[over, "suspended", true]]);
    assert.deepEqual(of(home({ leaves: "2026-07-15" })), [["2026-07-15", "suspended", false]]);
    assert.deepEqual(of(home({ leaves: "2026-07-15" }), { removeNow: ["bob"] }), [["2026-07-15", "suspended", true]]);
  });

  it("archives a leaver again for another bucket, or after they were back", () => {
    assert.deepEqual(of(home({ leaves: over, archive: { ...mark, bucket: "other" } })).length, 1);
    assert.deepEqual(of(home({ leaves: over, archive: { ...mark, leaves: "2026-01-01" } })).length, 1);
    for (const more of [{ secrets: true }, { volumes: "snapshot" }]) {
      const wanted = { archive: { ...archive, ...more } };
      assert.deepEqual(of(home({ leaves: over, archive: mark }), wanted).length, 1, JSON.stringify(more));
    }
  });

  it("suspends a leaver in one run and archives before the next, without any grace as well", () => {
    assert.deepEqual(of(home(), { graceDays: 0 }), [[today, "suspended", false]]);
    assert.deepEqual(of(home({ leaves: today }), { graceDays: 0 }), [[today, "suspended", true]]);
    assert.deepEqual(of(home({ leaves: today, archive: { ...mark, leaves: today } }), { graceDays: 0 }), []);
  });

  it("archives leavers on the stack's server, in no member's bucket", () => {
    const why = (raw: object, homes: readonly KeptHome[] = []) => mistakesOf([ana], homes, raw);
    assert.deepEqual(why({ offboarding: { archive } }), ["offboarding.archive: needs an S3 server; set storage"]);
    assert.deepEqual(why({ offboarding: { archive }, storage: cosi }), [
      "offboarding.archive: needs an S3 server, and storage is of kind: cosi, where only the driver knows it",
    ]);
    assert.deepEqual(why({ offboarding: { archive: { ...archive, snapshotClass: "fast" } }, storage: server }), [
      "offboarding.archive.snapshotClass: is for volumes: snapshot; set that, or leave it out",
    ]);
    assert.deepEqual(why({ offboarding: { archive: { bucket: "Kept" } }, storage: server }).length, 1);
    const own = { offboarding: { archive: { bucket: "bob-data" } }, storage };
    const refused = (whose: string) => [
      `offboarding.archive.bucket: "bob-data" is a bucket of ${whose}: its owner could read and delete everybody's archives; make another`,
    ];
    const withBucket = { ...bob, buckets: data };
    assert.deepEqual(mistakesOf([withBucket], [], own), refused("members[0] (bob)"));
    assert.deepEqual(mistakesOf([ana], [kept(withBucket)], own), refused("bob, who has left the list"));
  });
});

describe("offboarding", () => {
  it("takes whole days up to ten years as a grace", () => {
    const of = (graceDays: unknown) => mistakesOf([], [], { offboarding: { graceDays } });
    assert.deepEqual(of(3650), []);
    assert.deepEqual(of(0), []);
    assert.deepEqual(of(-1), ["offboarding.graceDays: -1 must be at least 0"]);
    assert.deepEqual(of(1.5), ["offboarding.graceDays: 1.5 must be a whole number of days"]);
    assert.deepEqual(of(3651), ["offboarding.graceDays: 3651 must be at most 3650"]);
    assert.deepEqual(of("30d"), ['offboarding.graceDays: "30d" must be a number of days']);
  });

  it("refuses to remove somebody at once who is in the list", () => {
    assert.deepEqual(mistakesOf([ana, bob], [], { offboarding: { removeNow: ["kay", "bob"] } }), [
      'offboarding.removeNow[1]: "bob" is in the list of members; remove it from one of the two',
    ]);
  });

  it("refuses to do without the keys to buckets of a member in grace", () => {
    const withBucket = { ...bob, buckets: data };
    const keep = "is missing: keep it until bob, who has left the list, is removed (from 2026-07-15 on)";
    const ofGiven = `bucketKeys.bob: ${keep}; without it, others' policies let these keys in again`;
    const leftWith = (listed: object) => home({ entry: membersOf([withBucket], undefined, listed)[0]?.entry ?? "" });
    const now = { offboarding: { ...grace, removeNow: ["bob"] } };
    for (const [listed, message] of [
      [{ storage: server, bucketKeys }, ofGiven],
      [{ storage }, `storage.users: ${keep}; kubecamp made the member's keys with it`],
    ] as const) {
      assert.deepEqual(mistakesOf([ana], [leftWith(listed)], listed), []);
      assert.deepEqual(mistakesOf([ana], [leftWith(listed)], { storage: server }), [message]);
      assert.deepEqual(mistakesOf([ana], [leftWith(listed)], { storage: server, ...now }), []);
    }
    assert.deepEqual(mistakesOf([ana], [leftWith({ storage, bucketKeys })], { storage }), [ofGiven]);
  });

  it("takes keys to buckets of somebody who is not in the list, where there is a grace", () => {
    const given = { storage: server, bucketKeys };
    assert.deepEqual(mistakesOf([ana], [], given), []);
    assert.match(mistakesOf([ana], [], { ...given, offboarding: {} }).join(), /has keys for no member/);
  });
});
