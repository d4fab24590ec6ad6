import assert from "node:assert/strict";
import { leasesOver, staffAt } from "../../../config/staff.ts";
import { configuration, mistakes } from "../samples.ts";

const oidc = { issuerUrl: "https://id.example.org", clientId: "kubernetes", usernamePrefix: "o:", groupsPrefix: "g:" };
const user = (name: string) => ({ kind: "User", name });
const group = (name: string) => ({ kind: "Group", name });
const ada = { member: "ada", type: "user", labels: { course: "cs101" } };
const bob = { member: "bob", type: "user" };

const staffOf = (staff: readonly object[], members: readonly object[] = [ada, bob]) =>
  configuration({ oidc, staff, members }).members.map((member) => member.staff);

describe("staff", () => {
  it("puts staff over those whom their selector fits", () => {
    const staff = [
      { group: "tas", role: "assist", over: { labels: { course: "cs101" } } },
      { subject: "tina", role: "view" },
    ];
    assert.deepEqual(staffOf(staff), [
      { view: [user("o:tina")], assist: [group("g:tas")] },
      { view: [user("o:tina")] },
    ]);
    assert.deepEqual(staffOf([{ subject: "tina", role: "view", over: { members: ["ada"] } }])[1], undefined);
  });

  it("gives staff the strongest of several roles, in any order, and lists them by name", () => {
    const twice = [
      { subject: "zoe", role: "view" },
      { subject: "tina", role: "edit" },
      { subject: "tina", role: "view" },
      { subject: "cy", role: "view" },
      { subject: "cy", role: "assist", over: { members: ["bob"] } },
    ];
    assert.deepEqual(staffOf(twice), [
      { view: [user("o:cy"), user("o:zoe")], edit: [user("o:tina")] },
      { view: [user("o:zoe")], assist: [user("o:cy")], edit: [user("o:tina")] },
    ]);
  });

  it("lets a ServiceAccount make pods for those whom its selector fits, beside all staff", () => {
    const over = { labels: { course: "cs101" } };
    const staff = [
      { serviceAccount: "hub/hub", role: "spawn", over },
      { subject: "tina", role: "view" },
    ];
    assert.deepEqual(staffOf(staff), [
      { view: [user("o:tina")], spawn: [user("system:serviceaccount:hub:hub")] },
      { view: [user("o:tina")] },
    ]);
  });

  it("gives staff no further role where they are at home, by name or by group, suspended or not", () => {
    const members = [{ ...ada, groups: ["team"], suspended: true }, bob];
    const staff = [
      { subject: "ada", role: "edit" },
      { subject: "bob", role: "edit" },
      { group: "team", role: "view" },
    ];
    assert.deepEqual(staffOf(staff, members), [{ edit: [user("o:bob")] }, { view: [group("g:team")] }]);
  });

  it("lets staff look after nobody while they are suspended or expired members", () => {
    const staff = [{ subject: "ada", role: "edit" }];
    assert.deepEqual(staffOf(staff, [{ ...ada, suspended: true }, bob]), [undefined, undefined]);
    assert.deepEqual(staffOf(staff, [{ ...ada, expires: "2026-06-14" }, bob]), [undefined, undefined]);
    assert.deepEqual(staffOf(staff), [undefined, { edit: [user("o:ada")] }]);
  });

  it("lets staff assist who have edit where the member may only look", () => {
    const members = [{ ...ada, home: "view" }];
    assert.deepEqual(staffOf([{ subject: "tina", role: "edit" }], members), [{ assist: [user("o:tina")] }]);
  });
});

describe("a lease of staff", () => {
  const lease = { subject: "tina", role: "assist", until: "2026-12-20", reason: "exam week" };
  const day = { until: "2026-12-20", reason: "exam week" };

  it("holds as long as it runs, with its end: a day in UTC, or a time of any zone", () => {
    assert.deepEqual(staffOf([lease], [ada]), [{ assist: [{ ...user("o:tina"), ...day }] }]);
    for (const [until, shown] of [
      ["2026-12-20 00:00:00 +0000 UTC", "2026-12-20"],
      ["2026-12-20T18:00Z", "2026-12-20T18:00Z"],
      ["2026-12-20T00:30+05:45", "2026-12-19T18:45Z"],
    ]) {
      const [over] = staffOf([{ ...lease, until }], [ada]);
      assert.equal(over?.assist?.[0]?.until, shown, until);
    }
  });

  it("of equal roles of one person, the one without an end counts, or the later one", () => {
    const role = "view";
    const both = (...untils: (string | undefined)[]) =>
      staffOf(
        untils.map((until) => ({ subject: "tina", role, ...(until === undefined ? {} : { until }) })),
        [bob],
      ).map((over) => over?.view?.map(({ until }) => until));
    assert.deepEqual(both("2026-12-20", undefined, "2026-12-24"), [[undefined]]);
    assert.deepEqual(both("2026-12-20", "2026-12-21T00:01Z", "2026-12-20T23:59Z"), [["2026-12-21T00:01Z"]]);
  });

  describe("at a moment", () => {
    const { settings, members } = configuration({
      oidc,
      staff: [
        { subject: "tina", role: "view" },
        lease,
        { group: "tas", role: "edit", until: "2026-12-20T18:00Z", over: { members: ["bob"] } },
      ],
      members: [ada, bob],
    });
    const at = (time: string) => staffAt(members, settings, new Date(time)).map(({ staff }) => staff);
    const assist = { assist: [{ ...user("o:tina"), ...day }] };

    it("ends with its last minute or day, down to a weaker role that does not", () => {
      const edit = { edit: [{ ...group("g:tas"), until: "2026-12-20T18:00Z" }] };
      assert.deepEqual(at("2026-12-20T17:59:59.999Z"), [assist, { ...assist, ...edit }]);
      assert.deepEqual(at("2026-12-20T18:00:00Z"), [assist, assist]);
      assert.deepEqual(at("2026-12-20T23:59:59Z"), [assist, assist]);
      const view = { view: [user("o:tina")] };
      assert.deepEqual(at("2026-12-21T00:00:00Z"), [view, view]);
      // Of a clock that was set back, it runs again.
      assert.deepEqual(at("2026-12-20T18:00:00Z"), [assist, assist]);
    });

    it("gives the same objects as long as nothing ends, so that the watch compares what it has compared", () => {
      const [first, second, before] = ["18:00", "19:00", "12:00"].map((time) =>
        staffAt(members, settings, new Date(`2026-12-20T${time}:00Z`)),
      );
      assert.equal(second, first);
      assert.equal(before, members);
    });

    it("leaves nothing with a member whose only staff it was, and is named as over", () => {
      const over = new Date("2026-12-21T00:00:00Z");
      const { until } = lease;
      for (const entry of [lease, { serviceAccount: "hub/hub", role: "spawn", until }]) {
        const only = configuration({ oidc, staff: [entry], members: [ada] });
        const isThere = (now: Date) => staffAt(only.members, only.settings, now).map((member) => "staff" in member);
        assert.deepEqual(isThere(new Date("2026-12-20T23:59:59Z")), [true], entry.role);
        assert.deepEqual(isThere(over), [false], entry.role);
      }
      assert.deepEqual(leasesOver(settings, over), [
        { path: "staff[1].until", message: "is over (2026-12-20): remove the entry" },
        { path: "staff[2].until", message: "is over (2026-12-20T18:00Z): remove the entry" },
      ]);
      assert.deepEqual(leasesOver(settings, new Date("2026-12-20T17:59:00Z")), []);
    });
  });
});

const members = [{ member: "ada", type: "user", labels: { course: "cs101" } }];
const mistakesOf = (staff: unknown, more: object = {}) => mistakes({ members, staff, ...more });

describe("mistakes in staff", () => {
  it("refuses staff that are nobody, two at once, or without a role, all told", () => {
    assert.deepEqual(
      mistakesOf([
        { role: "view" },
        { subject: "tina", group: "tas", role: "view" },
        { subject: "tina" },
        { role: "edits" },
      ]),
      [
        "staff[0]: is nobody; set subject to a person, group to a group, or serviceAccount",
        "staff[1]: has both a subject and a group; make it two entries",
        "staff[2].role: is missing: must be one of view, assist, spawn, edit",
        `staff[3].role: "edits" must be one of view, assist, spawn, edit; did you mean 'edit'?`,
      ],
    );
  });

  it("refuses staff by names that nobody signs in with, or that are Kubernetes' own", () => {
    const oidc = { usernamePrefix: "o:", groupsPrefix: "", usernameClaim: "email" };
    const staff = [
      { subject: "o:tina@example.org", role: "view" },
      { subject: "tina", role: "view" },
      { group: "system:masters", role: "edit" },
    ];
    assert.deepEqual(mistakesOf(staff, { oidc, members: [{ ...members[0], subject: "ada@example.org" }] }), [
      'staff[0].subject: "o:tina@example.org" starts with oidc.usernamePrefix already; leave it out',
      'staff[1].subject: "tina" is no email address, and oidc.usernameClaim is email: set subject to the member\'s address',
      'staff[2].group: "system:masters" is one of Kubernetes\' own names; set a prefix in oidc',
    ]);
  });

  it("refuses ends that are none, and reasons that are long or no line", () => {
    const rule = "must be a day, such as 2026-12-20, or a time to the minute with its zone, such as 2026-12-20T18:00Z";
    const untils = ["tomorrow", "2026-12-20T18:00", "2026-12-20T18:00:00Z", "2026-12-20T24:00Z", "20.12.2026"];
    const staff = [...untils, "2026-02-30", "2026-02-30T10:00Z"].map((until) => ({
      group: "tas",
      role: "view",
      until,
    }));
    assert.deepEqual(mistakesOf(staff), [
      ...untils.map((until, at) => `staff[${at}].until: "${until}" ${rule}`),
      'staff[5].until: "2026-02-30" is no day of the calendar',
      'staff[6].until: "2026-02-30T10:00Z" is no day of the calendar',
    ]);
    const reasons = ["x".repeat(101), "exam\nweek", "exam \u202eweek"];
    assert.deepEqual(
      mistakesOf(reasons.map((reason) => ({ group: "tas", role: "view", reason }))).map((line) => line.slice(0, 20)),
      ['staff[0].reason: "xx', 'staff[1].reason: "ex', 'staff[2].reason: "ex'],
    );
  });

  it("takes an entry that is over: access of others must not wait for it", () => {
    assert.deepEqual(mistakesOf([{ group: "tas", role: "view", until: "2020-01-01" }]), []);
  });

  it("refuses a ServiceAccount that a member's pods could use, in another role, or as no name", () => {
    const of = (serviceAccount: string, more: object = {}) => ({ serviceAccount, role: "spawn", ...more });
    const form = "must be the ServiceAccount's namespace and name, such as hub/hub";
    assert.deepEqual(mistakesOf([of("hub/hub"), of("kube-system/x.y")]), []);
    assert.deepEqual(
      mistakesOf([
        of("ada/default"),
        of("hub/hub", { role: "edit" }),
        of("hub/hub", { group: "tas" }),
        { subject: "tina", role: "spawn" },
        ...["hub", "hub/", "/hub", "hub/a/b", "hub:hub", "hub/hub:x", "Hub/hub", "*/hub"].map((name) => of(name)),
      ]),
      [
        `staff[0].serviceAccount: "ada/default" is in the namespace of member 'ada', whose Pods could use it; take one in a namespace of the platform`,
        'staff[1].role: "edit" must be spawn for a serviceAccount',
        "staff[2]: has both a group and a serviceAccount; make it two entries",
        'staff[3].role: "spawn" is a role of ServiceAccounts; set serviceAccount instead, or another role',
        ...["hub", "hub/", "/hub", "hub/a/b", "hub:hub", "hub/hub:x", "Hub/hub", "*/hub"].map(
          (name, at) => `staff[${at + 4}].serviceAccount: "${name}" ${form}`,
        ),
      ],
    );
  });

  it("refuses encrypted staff, since commands would show other access than a run gives", () => {
    const raw = { members, staff: [{ group: "tas", role: "view" }] };
    assert.deepEqual(mistakes(raw, { isSecret: ([key]) => key === "staff" }), [
      "staff: can't be encrypted; set it without --secret",
    ]);
  });
});
