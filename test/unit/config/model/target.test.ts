import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi";
import { mostTargets, narrowing, readTarget, targetOf, targetsOf } from "../../../../config/model/target.ts";
import { alice, bob, carol } from "../../samples.ts";

const list = [alice, bob, carol];
const forBob = { stack: "dev", members: ["bob"] };
const env = (members: readonly string[], more: Record<string, string> = {}) => ({
  PULUMI_OPTION_TARGET: targetsOf(members),
  ...more,
});

describe("the engine's targets", () => {
  /** As the engine reads a target: `**` is anything, and `*` anything but ':'. */
  const matches = (urn: string) =>
    targetsOf(["access"])
      .split(",")
      .some((target) =>
        new RegExp(
          `^${target
            .split("**")
            .map((part) => part.replace(/[.$/]/g, "\\$&").replaceAll("*", "[^:]*"))
            .join(".*")}$`,
        ).test(urn),
      );
  const component = "urn:pulumi:dev::kubecamp::kubecamp:index";

  it("keeps targets short enough for an environment variable, for as many members as a run takes", () => {
    const names = Array.from({ length: mostTargets }, () => "m".repeat(63));
    assert.ok(`PULUMI_OPTION_TARGET=${targetsOf(names)}\0`.length <= 128 * 1024);
  });

  it("targets a member's component and its contents, each twice as a glob for URNs yet unknown", () => {
    assert.equal(
      targetsOf(["bob", "eve"]),
      [
        "**::kubecamp:index:MemberEnvironment::bob",
        "**::kubecamp:index:MemberEnvironment$**::bob/**",
        "**::kubecamp:index:MemberEnvironment::eve",
        "**::kubecamp:index:MemberEnvironment$**::eve/**",
      ].join(","),
    );
    assert.ok(matches(`${component}:MemberEnvironment::access`));
    assert.ok(matches(`${component}:MemberEnvironment$kubernetes:core/v1:Namespace::access/namespace`));
    assert.ok(matches(`${component}:MemberEnvironment$kubernetes:networking.k8s.io/v1:Ingress::access/route/ingress`));
  });

  it("targets nothing else, whatever a member is called", () => {
    for (const urn of [
      `${component}:ClusterAccess::access`,
      `${component}:ClusterAccess$kubernetes:rbac.authorization.k8s.io/v1:ClusterRole::access/view`,
      `${component}:MemberEnvironment::access-2`,
      `${component}:MemberEnvironment::my-access`,
      `${component}:MemberEnvironment$kubernetes:core/v1:Namespace::my-access/namespace`,
      `${component}:MemberEnvironment$kubernetes:core/v1:Namespace::access-2/namespace`,
      `${component}:MemberEnvironment$kubernetes:core/v1:Namespace::bob/access/namespace`,
      "urn:pulumi:dev::kubecamp::pulumi:providers:kubernetes::access",
      "urn:pulumi:dev::kubecamp::pulumi:pulumi:Stack::kubecamp-dev",
    ]) {
      assert.equal(matches(urn), false, urn);
    }
  });
});

describe("a target", () => {
  let folder: string;
  let file: string;
  const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));
  const refusal = (pattern: RegExp) => (error: unknown) => {
    assert.ok(RunError.isInstance(error));
    assert.match((error as Error).message, pattern);
    assert.match((error as Error).message, /nothing was changed.*'unset KUBECAMP_TARGET_FILE PULUMI_OPTION_TARGET'/);
    return true;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kubecamp-aim-test-"));
    file = join(folder, "aim.json");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("runs for everybody where no target is given, whatever targets the engine has", () => {
    const everybody = { members: list, isWhole: true, removedMembers: [], waits: true };
    assert.deepEqual(readTarget(list, "dev", {}), everybody);
    assert.deepEqual(readTarget(list, "dev", { KUBECAMP_TARGET_FILE: "" }), everybody);
    assert.deepEqual(readTarget(list, "dev", env(["bob"])), everybody);
  });

  it("runs for everybody, and waits for no Service, where the target's file names nobody", () => {
    write({ stack: "dev" });
    assert.deepEqual(readTarget(list, "dev", { KUBECAMP_TARGET_FILE: file }), {
      members: list,
      isWhole: true,
      removedMembers: [],
      waits: false,
    });
  });

  it("targets whom the file names, in the order of the list, and for one run", () => {
    write({ stack: "dev", members: ["carol", "alice"] });
    const given = env(["carol", "alice"], { KUBECAMP_TARGET_FILE: file });
    assert.deepEqual(readTarget(list, "dev", given), {
      members: [alice, carol],
      isWhole: false,
      removedMembers: [],
      waits: false,
    });
    assert.equal(existsSync(file), false);
    assert.throws(
      () => readTarget(list, "dev", given),
      refusal(/no target file for this run at '.*aim\.json' \(ENOENT/),
    );
  });

  it("names those who have left the list apart in a target, since they are to be removed", () => {
    write({ stack: "dev", members: [], removedMembers: ["gus"] });
    const given = env(["gus"], { KUBECAMP_TARGET_FILE: file });
    assert.deepEqual(readTarget(list, "dev", given), {
      members: [],
      isWhole: false,
      removedMembers: ["gus"],
      waits: false,
    });
  });

  it("removes a target's file also where the run refuses the target", () => {
    write(forBob);
    assert.throws(
      () => readTarget(list, "dev", { KUBECAMP_TARGET_FILE: file }),
      refusal(/the engine has other targets/),
    );
    assert.equal(existsSync(file), false);
    writeFileSync(file, "bob");
    assert.throws(
      () => readTarget(list, "dev", env(["bob"], { KUBECAMP_TARGET_FILE: file })),
      refusal(/no target file for this run/),
    );
  });

  it("tells of a target whose members have left the list meanwhile, or come back, as an edit", () => {
    const reported = (target: object, names: readonly string[]) => {
      write(target);
      try {
        return readTarget(list, "dev", env(names, { KUBECAMP_TARGET_FILE: file }));
      } catch (error) {
        return (error as Error).message;
      }
    };
    const edited = (what: string) =>
      `The list of members was edited while this run began: ${what}; nothing was changed. Run it again.`;
    assert.equal(reported({ stack: "dev", members: ["bob", "gus"] }, ["bob", "gus"]), edited("gus left it"));
    assert.equal(
      reported({ stack: "dev", members: ["alice"], removedMembers: ["bob"] }, ["alice", "bob"]),
      edited("bob came back into it"),
    );
  });

  const cases: Record<string, [target: unknown, env: NodeJS.ProcessEnv, why: RegExp]> = {
    "the engine has no targets": [forBob, {}, /the engine has other targets \(PULUMI_OPTION_TARGET\)/],
    "the engine's are somebody else's": [forBob, env(["alice"]), /the engine has other targets/],
    "it is for everybody, and the engine has targets": [{ stack: "dev" }, env(["bob"]), /the engine has other targets/],
    "the engine is to touch dependents, too": [
      forBob,
      env(["bob"], { PULUMI_OPTION_TARGET_DEPENDENTS: "true" }),
      /the engine has further orders \(PULUMI_OPTION_TARGET_DEPENDENTS\)/,
    ],
    "it is for all members, and names removed members": [
      { stack: "dev", removedMembers: ["gus"] },
      {},
      /it is for all members, and names removed members/,
    ],
    "it is another stack's": [forBob, env(["bob"]), /it is for stack 'dev', not 'prod'/],
    "it names no member, which the engine takes for everybody": [
      { stack: "dev", members: [] },
      env([]),
      /it names no member/,
    ],
    "its file is none": [["bob"], env(["bob"]), /its content is no target/],
  };
  for (const [what, [target, given, why]] of Object.entries(cases)) {
    it(`refuses a target where ${what}`, () => {
      assert.throws(() => targetOf(target, list, what.includes("another stack") ? "prod" : "dev", given), why);
    });
  }

  it("finds a target, or whatever else would narrow a run, in an environment", () => {
    assert.deepEqual(narrowing({ PATH: "/bin", PULUMI_OPTION_PARALLEL: "4", PULUMI_OPTION_TARGET: "" }), []);
    assert.deepEqual(narrowing({ PULUMI_OPTION_EXCLUDE: "x", KUBECAMP_TARGET_FILE: "y" }), [
      "KUBECAMP_TARGET_FILE",
      "PULUMI_OPTION_EXCLUDE",
    ]);
  });
});
