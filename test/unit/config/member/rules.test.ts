import assert from "node:assert/strict";
import { parseConfiguration } from "../../../../config/configuration.ts";
import { unread } from "../../../../config/values/maps.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { mistakes, mistakesOfMembers, route, today } from "../../samples.ts";

describe("mistakes of a configuration", () => {
  it("tells all mistakes at once, in the order of the file, each with path, value and way out", () => {
    assert.deepEqual(
      mistakes({
        route: { host: "https://camp.example.org", hots: "x" },
        memebers: [],
        cluster: { context: "" },
        memberTypes: { student: { home: "edti", defaults: { maxCpum: 1 } }, "A b": { home: "root", x: 1 }, other: 5 },
        oidc: { usernamePrefix: 5 },
        network: { internet: "yes", dnsPodLabels: { app: 1, "a b": "x" }, ingressPodLabels: { app: "a b", tier: "x" } },
        offboarding: { maxRemoval: 1 },
        members: [
          { member: "Alice", type: "admin" },
          { member: "bob", type: "gest-user", maxCPU: 1 },
          { type: "A b" },
          { member: "dora", type: "user", maxCPUm: 50, maxMemoryMiB: -1 },
          { member: "dora", type: "student", numOfPVCs: 1.5, podSecurity: "baselin" },
          "frank",
          null,
          { member: "guy", type: "other", expires: "2026-02-30", adopt: null },
          { member: "heidi", type: "user", route: { path: 1, hots: "x" } },
        ],
      }),
      [
        `route.host: "https://camp.example.org" must be a host name in lower case, without scheme, port or path; {member} in it stands for the member's name`,
        "route.hots: is no setting here; did you mean 'host'?",
        "memebers: is no setting here; did you mean 'members'?",
        'cluster.context: "" must not be empty',
        "memberTypes.student.home: \"edti\" must be one of edit, view; did you mean 'edit'?",
        "memberTypes.student.defaults.maxCpum: is no setting here; did you mean 'maxCPUm'?",
        "memberTypes.A b: \"A b\" can't be a type's name: a-z, 0-9 and '-', starting with a letter, at most 63 characters",
        'memberTypes.A b.home: "root" must be one of edit, view',
        "memberTypes.A b.x: is no setting here",
        "memberTypes.other: 5 must be a map of what the type gives",
        "oidc.usernamePrefix: 5 must be a text",
        'network.internet: "yes" must be true or false',
        "network.dnsPodLabels.app: 1 must be a text",
        "network.dnsPodLabels.a b: \"a b\" can't be a label's key: at most 63 of a-z, 0-9, '-', '_' and '.', no mark at either end; before them, if at all, a host name and '/'",
        "network.ingressPodLabels.app: \"a b\" can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end",
        "offboarding.maxRemoval: is no setting here; did you mean 'maxRemovals'?",
        "members[0].member: \"Alice\" must be a DNS label: a-z, 0-9 and '-', starting with a letter",
        "members[1].type: \"gest-user\" is no member type; did you mean 'guest-user'? (admin, user, guest-user, other, student) (member 'bob')",
        "members[1].maxCPU: is no setting here; did you mean 'maxCPUm'? (member 'bob')",
        "members[2].member: is missing: must be a text",
        "members[3].maxCPUm: 50 is below defaultCPUm (100), so that no container would fit (member 'dora')",
        "members[3].maxMemoryMiB: -1 must be at least 1 (member 'dora')",
        'members[4].member: "dora" is the name of members[3] already; names must differ',
        "members[4].numOfPVCs: 1.5 must be a whole number of PersistentVolumeClaims (member 'dora')",
        "members[4].podSecurity: \"baselin\" must be one of baseline, restricted; did you mean 'baseline'? (member 'dora')",
        "members[5]: \"frank\" must be a member: at least 'member' and 'type'",
        "members[6]: is empty: must be a member: at least 'member' and 'type'",
        "members[7].expires: \"2026-02-30\" is no day of the calendar (member 'guy')",
        "members[7].adopt: is empty: must be true or false (member 'guy')",
        "members[8].route.path: 1 must be a text (member 'heidi')",
        "members[8].route.hots: is no setting here; did you mean 'host'? (member 'heidi')",
      ],
    );
  });

  it("says what is missing when nothing is configured", () => {
    const parsed = parseConfiguration("dev", {}, today);
    assert.deepEqual("mistakes" in parsed && mistakeLines(parsed.mistakes), [
      "route: is missing: must be a map with at least 'host'",
      "members: is missing: must be a list of members; or set membersFile to a file that has one",
    ]);
  });

  it("refuses what is no cluster's id, which every run would take for another cluster", () => {
    for (const id of ["prod", "0b9c7f0e", "0B9C7F0E-6A51-4C6F-9C0E-2F1D3A4B5C6D"]) {
      assert.deepEqual(mistakes({ members: [], cluster: { id } }), [
        `cluster.id: "${id}" must be the UID of kube-system, as 0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d; kubectl get namespace kube-system -o jsonpath='{.metadata.uid}' prints it`,
      ]);
    }
  });

  const ofPath =
    "must be a path such as /bob: '/', then a-z, 0-9, '-', '.' and '_'; or / on a host of the member's own";
  const ofPriority = "must not begin with 'system-', which is for the cluster's own pods; name another PriorityClass";
  for (const [entry, mistake] of [
    [{ route: true }, "route: true must be false, or a map with host, path and readiness"],
    [{ route: { host: "a:80" } }, 'route.host: "a:80" must be a host name in lower case, without scheme, port or path'],
    [{ route: { path: "/a/../b" } }, `route.path: "/a/../b" ${ofPath}`],
    [{ defaultCPUm: 9 }, "defaultCPUm: 9 must be at least 10"],
    [{ maxCPUm: Number.NaN }, "maxCPUm: NaN must be a number of thousandths of a CPU"],
    [{ podSecurity: "privileged" }, 'podSecurity: "privileged" must be one of baseline, restricted'],
    [{ priorityClasses: ["low", "system-node-critical"] }, `priorityClasses[1]: "system-node-critical" ${ofPriority}`],
    [{ constructor: 1 }, "constructor: is no setting here"],
  ] as const) {
    it(`refuses a member's entry with ${JSON.stringify(entry)}`, () => {
      const lines = mistakesOfMembers({ member: "bob", type: "user", ...entry });
      assert.deepEqual(lines, [`members[0].${mistake} (member 'bob')`]);
    });
  }

  const ofName = "must be a DNS label: a-z, 0-9 and '-', starting with a letter";
  for (const [name, why] of [
    ["1st", `"1st" ${ofName}`],
    ["../bob", `"../bob" ${ofName}`],
    ["a".repeat(60), `"${"a".repeat(56)}... must have at most 59 characters, so that '-svc' fits behind it`],
  ] as const) {
    it(`refuses a member named ${name}`, () => {
      assert.deepEqual(mistakesOfMembers({ member: name, type: "user" }), [`members[0].member: ${why}`]);
    });
  }

  it("refuses a stack whose name could not stand in a label", () => {
    const reported = (stack: string) => {
      const parsed = parseConfiguration(stack, { members: [], route }, today);
      return "mistakes" in parsed ? parsed.mistakes.map(({ path }) => path) : [];
    };
    assert.deepEqual(["dev", "eu-1.Prod_2", "-dev", "s".repeat(64)].map(reported), [[], [], ["stack"], ["stack"]]);
  });

  it("refuses two members of one name, also in entries that have another mistake", () => {
    assert.deepEqual(
      mistakesOfMembers(
        { member: "bob", type: "user", maxCPUm: "much" },
        { member: "bob", type: "nobody", groups: 5 },
        { member: "robert", type: "user", subject: "bob", suspended: "no" },
        { member: "dora", type: "user", subject: 5 },
        { member: "dore", type: "user", subject: "dora" },
      ),
      [
        "members[0].maxCPUm: \"much\" must be a number of thousandths of a CPU (member 'bob')",
        'members[1].member: "bob" is the name of members[0] already; names must differ',
        "members[1].type: \"nobody\" is no member type (admin, user, guest-user) (member 'bob')",
        "members[1].groups: 5 must be a list of groups (member 'bob')",
        "members[2].suspended: \"no\" must be true or false (member 'robert')",
        "members[3].subject: 5 must be a text (member 'dora')",
      ],
    );
  });

  it("names the types where one is missing, in one order whoever hands over the settings", () => {
    const memberTypes = { tutor: {}, student: {}, Admin: {} };
    const reported = ["is missing:", "5"].map(
      (what, at) =>
        `members[${at}].type: ${what} must be one of admin, user, guest-user, student, tutor (member 'bob${at}')`,
    );
    const lines = mistakes({ memberTypes, members: [{ member: "bob0" }, { member: "bob1", type: 5 }] }).slice(1);
    assert.deepEqual(lines, reported);
  });

  it("refuses subjects and groups that have the prefix already, and would have it twice", () => {
    const bob = { member: "bob", type: "user", subject: "oidc:bob", groups: ["oidc:a", "a:oidc:"] };
    assert.deepEqual(mistakesOfMembers(bob), [
      "members[0].subject: \"oidc:bob\" starts with oidc.usernamePrefix already; leave it out (member 'bob')",
      "members[0].groups[0]: \"oidc:a\" starts with oidc.groupsPrefix already; leave it out (member 'bob')",
    ]);
    for (const prefix of ["", "idp:", "o", "oidc", unread]) {
      const oidc = { usernamePrefix: prefix, groupsPrefix: prefix };
      assert.deepEqual(mistakes({ oidc, members: [bob] }), [], String(prefix));
    }
  });

  it("counts groups that are wrong among the others", () => {
    assert.deepEqual(mistakesOfMembers({ member: "bob", type: "user", groups: [5, "a", "", "a"] }), [
      "members[0].groups[0]: 5 must be a text (member 'bob')",
      "members[0].groups[2]: \"\" must not be empty (member 'bob')",
      "members[0].groups[3]: \"a\" is listed twice; keep one (member 'bob')",
    ]);
  });

  it("refuses subjects and groups that Kubernetes itself uses", () => {
    const oidc = { usernamePrefix: "", groupsPrefix: "" };
    const bob = { member: "bob", type: "user", subject: "system:admin", groups: ["a", "system:masters"] };
    assert.deepEqual(mistakes({ oidc, members: [bob] }), [
      "members[0].subject: \"system:admin\" is one of Kubernetes' own names; set a prefix in oidc (member 'bob')",
      "members[0].groups[1]: \"system:masters\" is one of Kubernetes' own names; set a prefix in oidc (member 'bob')",
    ]);
  });
});
