import assert from "node:assert/strict";
import { narrowing, type Target, targetAll, targetsOf } from "../../../../plan/decisions/target.ts";
import { alice, bob, member } from "../../samples.ts";

const some = (names: readonly string[], removedMembers: readonly string[] = []): Target => ({
  members: names.map((name) => member({ member: name, type: "user" })),
  isWhole: false,
  removedMembers,
  waits: true,
});

describe("the engine's targets", () => {
  /** As the engine reads a target: `**` is anything, and `*` anything but ':'. */
  const matches = (urn: string) =>
    (targetsOf(some(["access"])) ?? []).some((target) =>
      new RegExp(
        `^${target
          .split("**")
          .map((part) => part.replace(/[.$/]/g, "\\$&").replaceAll("*", "[^:]*"))
          .join(".*")}$`,
      ).test(urn),
    );
  const component = "urn:pulumi:dev::kubecamp::kubecamp:index";

  it("targets the component and the contents of each member, listed or removed", () => {
    assert.deepEqual(targetsOf(some(["bob"], ["eve"])), [
      "**::kubecamp:index:MemberEnvironment::bob",
      "**::kubecamp:index:MemberEnvironment$**::bob/**",
      "**::kubecamp:index:MemberEnvironment::eve",
      "**::kubecamp:index:MemberEnvironment$**::eve/**",
    ]);
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

  it("gives the engine no targets in a run for everyone alone", () => {
    assert.equal(targetsOf(targetAll([alice, bob])), undefined);
    assert.equal(targetsOf(targetAll([])), undefined);
    assert.throws(() => targetsOf(some([])), /the engine would run for everyone/);
  });

  it("finds whatever would narrow a run in an environment", () => {
    assert.deepEqual(narrowing({ PATH: "/bin", PULUMI_OPTION_PARALLEL: "4", PULUMI_OPTION_TARGET: "" }), []);
    assert.deepEqual(narrowing({ PULUMI_OPTION_EXCLUDE: "x", PULUMI_OPTION_TARGET: "y" }), [
      "PULUMI_OPTION_TARGET",
      "PULUMI_OPTION_EXCLUDE",
    ]);
  });
});
