import assert from "node:assert/strict";
import { kubecamp } from "../commands/kubecamp.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { type Proof, troubles } from "./proof.ts";
import { madeBy } from "./runningVerify.ts";

/** Members with CI jobs, a group, a name that is not ASCII, and one who is suspended. */
const members: readonly Entry[] = [
  { member: "ada", type: "user", ci: [{ token: true }], groups: ["class-a"] },
  { member: "bob", type: "user", subject: "böb@example.org" },
  { member: "gus", type: "guest-user", suspended: true },
  { member: "rea", type: "reader" },
];
const settings = {
  memberTypes: { reader: { home: "view", others: "none" } },
  ci: {},
  staff: [
    { group: "teachers", role: "assist" },
    { subject: "tina", role: "view", over: { members: ["ada"] } },
  ],
};

describe("kubecamp verify: guard rails and access", () => {
  const stack = useStack("rights");
  const verify = async (KUBECONFIG = stack.sandbox.kubeconfig, only = "guards,access") => {
    const args = ["verify", "--stack", stack.name, "--only", only, "-o", "json"];
    const { exitCode, stdout, stderr } = await kubecamp(args, { cwd: stack.folder, env: { KUBECONFIG } });
    const { proofs } = JSON.parse(stdout || assert.fail(stderr)) as { proofs: Proof[] };
    return { exitCode, proofs };
  };
  const bind = async (
    kind: "RoleBinding" | "ClusterRoleBinding",
    { name, namespace, role }: { name: string; namespace?: string; role: string },
    subject: { kind: string; name: string },
  ) => {
    const apiGroup = "rbac.authorization.k8s.io";
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    const roleRef = { apiGroup, kind: "ClusterRole", name: role };
    const object = { apiVersion: `${apiGroup}/v1`, kind, metadata, roleRef, subjects: [{ ...subject, apiGroup }] };
    await stack.sandbox.apply(object);
    undo.push(() => stack.delete(kind.toLowerCase(), name, namespace));
  };
  const undo: (() => Promise<void>)[] = [];

  before(async () => {
    await stack.makeProject();
    await stack.configure(members, settings);
    await stack.upFine();
  });
  afterEach(async () => {
    for (const act of undo.splice(0)) {
      await act();
    }
  });

  it("are held where nobody has changed anything", async () => {
    const { exitCode, proofs } = await verify();
    assert.deepEqual(troubles(proofs), []);
    assert.equal(exitCode, 0);
    assert.deepEqual(
      proofs.map(({ part, promise, result }) => `${part}: ${result}: ${promise}`),
      [
        "guards: held: The stack's policies and roles stand as declared",
        "guards: held: Each member's namespace, guard rails and rights stand as declared",
        "access: held: Members have the rights that their type gives, and no others",
        "access: held: Pods, and people in no list, have no rights in members' namespaces",
        "access: held: CI jobs do what their member may at home, and nothing elsewhere",
        "access: held: Elsewhere, members read no logs, ConfigMaps, Secrets or events",
        "access: held: Members change nothing of others, the platform or the cluster",
        "access: held: Members don't change their guard rails, impersonate, or make ServiceAccount tokens or certificates",
        "access: held: Staff do in a member's namespace what their role says, and nothing elsewhere",
        "access: held: Nobody in the list has more rights than the list gives",
      ],
    );
    // Two of each of three types, each in three places.
    assert.equal(proofs.find(({ promise }) => promise.startsWith("Members have the rights"))?.trials, 18);
  });

  it("are broken by what somebody has changed or given by hand, until that is undone", async () => {
    await stack.sandbox.patch("resourcequota", "quota", "ada", { spec: { hard: { pods: "500" } } });
    await stack.delete("validatingadmissionpolicybinding", `kubecamp-services-${stack.name}`);
    await stack.delete("networkpolicy", "isolation", "bob");
    const view = { name: "by-hand", role: "view" };
    await bind("RoleBinding", { ...view, namespace: "ada" }, { kind: "Group", name: "system:authenticated" });
    await bind("RoleBinding", { ...view, namespace: "rea", role: "edit" }, { kind: "User", name: "oidc:ada" });
    await bind("ClusterRoleBinding", { ...view, role: "edit" }, { kind: "User", name: "oidc:böb@example.org" });
    await bind("ClusterRoleBinding", { name: "staff-by-hand", role: "edit" }, { kind: "Group", name: "oidc:teachers" });

    const { exitCode, proofs } = await verify();
    const found = troubles(proofs);
    assert.equal(exitCode, 1);
    const byHand = "docs/run/what-a-run-does.md#changes-by-hand";
    const further = "docs/security/verify.md#a-right-that-the-list-does-not-give";
    const reason = (binding: string, role: string) =>
      `\\(the first by RBAC: allowed by ${binding} of ClusterRole "${role}" to .*\\)`;
    const asked = "broken: asked the API server what they may do";
    for (const expected of [
      `^the stack: broken: ValidatingAdmissionPolicyBinding kubecamp-services-rights: it is not there -> ${byHand}$`,
      `^ada: broken: ResourceQuota ada/quota: pods \\d+ → 500 -> ${byHand}$`,
      `^bob: broken: NetworkPolicy bob/isolation: it is not there -> ${byHand}$`,
      `^somebody else who signs in: ${asked} in namespace 'ada': they may also get, list, watch .* ${reason('RoleBinding "by-hand/ada"', "view")} -> ${further}$`,
      `^ada: ${asked} in namespace 'rea': they may also .* ${reason('RoleBinding "by-hand/rea"', "edit")} -> ${further}$`,
      `^bob: ${asked} in another member's namespace: they may also .* ${reason('ClusterRoleBinding "by-hand"', "edit")} -> ${further}$`,
      `^group oidc:teachers: ${asked} in another member's namespace: they may also .* ${reason('ClusterRoleBinding "staff-by-hand"', "edit")} -> ${further}$`,
    ]) {
      assert.ok(
        found.some((line) => new RegExp(expected).test(line)),
        `${expected}\n${found.join("\n")}`,
      );
    }
    assert.equal(found.length, 7, found.join("\n"));
  });

  it("are held again after the command that the page names", async () => {
    const up = await kubecamp(["up", "--stack", stack.name], { cwd: stack.folder, env: stack.sandbox.env });
    assert.equal(up.exitCode, 0, up.stderr);
    const { exitCode, proofs } = await verify();
    assert.deepEqual(troubles(proofs), []);
    assert.equal(exitCode, 0);
  });

  it("are broken by a right that everybody gets who signs in: requests show what it opens", async () => {
    await bind(
      "ClusterRoleBinding",
      { name: "all", role: "cluster-admin" },
      { kind: "Group", name: "system:authenticated" },
    );
    const { exitCode, proofs } = await verify();
    assert.equal(exitCode, 1);
    const broken = proofs.filter(({ result }) => result === "broken").map(({ promise }) => promise);
    assert.deepEqual(broken, [
      "Pods, and people in no list, have no rights in members' namespaces",
      "Elsewhere, members read no logs, ConfigMaps, Secrets or events",
      "Members change nothing of others, the platform or the cluster",
      "Members don't change their guard rails, impersonate, or make ServiceAccount tokens or certificates",
    ]);
    const lines = troubles(proofs).join("\n");
    for (const line of [
      /^a guest-user: broken: tried to read secrets in another member's namespace: the API server let them/m,
      /^a reader: broken: tried to create configmaps in kube-system: RBAC let them \(/m,
      /^a user: broken: asked whether they may impersonate users: they may\. RBAC: allowed by ClusterRoleBinding "all"/m,
    ]) {
      assert.match(lines, line);
    }
    assert.deepEqual(await madeBy(stack), []);
  });

  it("are broken by a right that is missing: members can't work", async () => {
    // A run would put it back; the members of a verification get it from the same role.
    const name = `kubecamp:${stack.name}:view`;
    await stack.sandbox.patch("clusterrole", name, undefined, { rules: [] });
    const { proofs } = await verify();
    const lines = troubles(proofs).join("\n");
    assert.match(lines, /^the stack: broken: ClusterRole kubecamp:rights:view: rights: − /m);
    assert.match(
      lines,
      /^a user: broken: asked the API server what they may do in another member's namespace: they may not get, list, watch namespaces, .*, as the list gives/m,
    );
    assert.doesNotMatch(lines, /^a reader/m);
    await stack.upFine();
  });

  it("are not proven for members who are not there yet", async () => {
    await stack.configure([...members, { member: "nia", type: "user" }], settings);
    const { exitCode, proofs } = await verify();
    assert.equal(exitCode, 0);
    assert.deepEqual(troubles(proofs), [
      "nia: unproven: it is not on the cluster yet; run 'kubecamp up --stack rights' first -> docs/run/what-a-run-does.md#changes-by-hand",
    ]);
    await stack.configure(members, settings);
  });

  describe("and signing in", () => {
    const signIn = async (oidc: object) => {
      await stack.configure(members, { ...settings, oidc });
      const { exitCode, proofs } = await verify(undefined, "sign-in");
      return { exitCode, results: proofs.map(({ result }) => result), lines: troubles(proofs) };
    };
    const login =
      /: unproven: needs a person at a browser: .*'kubecamp members invite' -> docs\/run\/sign-in\.md#3-give-members-a-kubeconfig$/;
    const claims =
      /: unproven: the issuer does not list groups in claims_supported, .* -> docs\/run\/sign-in\.md#1-make-a-client-at-the-issuer$/;
    after(() => stack.configure(members, settings));

    it("is held as far as a real issuer shows it", async () => {
      const { url: issuerUrl, clientId, ca } = stack.sandbox.issuer;
      const { exitCode, results, lines } = await signIn({ issuerUrl, clientId, ca });
      assert.equal(exitCode, 0);
      assert.deepEqual(results, ["held", "unproven", "held", "unproven"], lines.join("\n"));
      assert.match(lines[0] ?? "", claims);
      assert.match(lines[1] ?? "", login);
    });

    it("is broken by a name that is not quite the issuer's, and by names without a prefix", async () => {
      const { url, clientId, ca } = stack.sandbox.issuer;
      const { exitCode, lines } = await signIn({ issuerUrl: `${url}/`, clientId, ca, groupsPrefix: "" });
      assert.equal(exitCode, 1);
      assert.equal(
        lines[0],
        `${url}/: broken: asked ${url}/.well-known/openid-configuration: it calls itself "${url}", as its tokens do -> docs/run/sign-in.md#when-it-does-not-work`,
      );
      assert.match(
        lines[2] ?? "",
        /^oidc\.groupsPrefix: broken: .* -> docs\/run\/sign-in\.md#2-configure-the-api-server$/,
      );
    });

    it("is not proven where the issuer can't be asked, or is not trusted", async () => {
      const { url, clientId } = stack.sandbox.issuer;
      const down = await signIn({ issuerUrl: "https://127.0.0.1:1", clientId });
      assert.equal(down.exitCode, 0);
      assert.match(
        down.lines[0] ?? "",
        /^https:\/\/127\.0\.0\.1:1: unproven: this machine can't ask it; .* ECONNREFUSED/,
      );
      const strange = await signIn({ issuerUrl: url, clientId });
      assert.equal(strange.exitCode, 0);
      assert.match(strange.lines[0] ?? "", /: unproven: this machine can't ask it; .*certificate/);
    });
  });

  it("are not proven by an identity that may not impersonate, which names the right to give it", async () => {
    const name = "no-impersonation";
    const every = [
      "get",
      "list",
      "watch",
      "create",
      "update",
      "patch",
      "delete",
      "deletecollection",
      "bind",
      "escalate",
    ];
    await stack.kubectl("create", "serviceaccount", name, "-n", "default");
    await stack.kubectl("create", "clusterrole", name, `--verb=${every.join(",")}`, "--resource=*.*");
    await stack.kubectl(
      "create",
      "clusterrolebinding",
      name,
      `--clusterrole=${name}`,
      `--serviceaccount=default:${name}`,
    );
    undo.push(
      () => stack.delete("clusterrolebinding", name),
      () => stack.delete("clusterrole", name),
      () => stack.delete("serviceaccount", name, "default"),
    );
    const { exitCode, proofs } = await verify(
      await otherKubeconfig(stack, { token: await stack.sandbox.token(name, "default") }),
    );
    assert.equal(exitCode, 0);
    const results = new Map(Object.entries(Object.groupBy(proofs, ({ part }) => part)));
    assert.deepEqual(
      results.get("guards")?.map(({ result }) => result),
      ["held", "held"],
    );
    assert.deepEqual([...new Set(results.get("access")?.map(({ result }) => result))], ["unproven"]);
    for (const { why = "" } of results.get("access")?.flatMap(({ details }) => details) ?? []) {
      assert.match(
        why,
        /give this identity the verb 'impersonate' on users, groups and serviceaccounts: .*no-impersonation/,
      );
    }
  });
});
