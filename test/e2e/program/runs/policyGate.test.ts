import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "../checkout.ts";
import { refused } from "../refused.ts";
import { type Entry, useStack } from "../stack.ts";
import { makeService } from "../workloads.ts";

const dan: Entry = { member: "dan", type: "user" };
const eve: Entry = { member: "eve", type: "guest-user" };

/** A part of a program, what stands there, and what somebody might write instead. */
type Change = readonly [file: string, text: string, instead: string];

const wildcard: Change = ["plan/objects/rbac/role.ts", "const all = [...read, ...write];", 'const all = ["*"];'];
const oneWay: Change = ["plan/objects/networkPolicy.ts", '["Ingress", "Egress"]', '["Ingress"]'];
const clusterAdmin: Change = [
  "plan/objects/rbac/clusterRoleBinding.ts",
  "name: clusterRoleName(view, settings)",
  'name: "cluster-admin"',
];
const unbounded: Change = [
  "plan/manifest/memberRows.ts",
  "hasQuota(member) ? always(",
  "member.name !== 'eve' ? always(",
];
const elsewhere: Change = [
  "components/register.ts",
  "namespace: home.metadata.name }",
  'namespace: home.metadata.name.apply(() => "kube-public") }',
];

describe("the policy gate", () => {
  const stack = useStack("gate");
  let copy = "";

  before(async () => {
    await stack.configure([dan]);
    await stack.upFine();
    await makeService(stack, "dan");
    copy = await checkout(stack.folder);
    // Somebody joins, whose Service would be waited for, and a route opens: all of that has to stay undone.
    await stack.configure([dan, eve], {
      route: { host: "camp.test", readiness: { mode: "wait", timeoutSeconds: 600 } },
    });
  });

  const changed = async (changes: readonly Change[], action: () => Promise<void>) => {
    const undo: (() => Promise<void>)[] = [];
    for (const [file, text, instead] of changes) {
      const path = join(copy, file);
      const source = await readFile(path, "utf8");
      assert.ok(source.includes(text), `${text} in ${file}`);
      await writeFile(path, source.replace(text, instead));
      undo.unshift(() => writeFile(path, source));
    }
    try {
      await action();
    } finally {
      for (const each of undo) {
        await each();
      }
    }
  };

  it("stops a plain preview and up of a program that would give too much, tells all of it, and lets nothing through", async () => {
    await changed([wildcard, oneWay, clusterAdmin, unbounded], async () => {
      const outputs = await refused(
        stack,
        [
          "member 'dan': Role dan/kubecamp-edit: rules[0].verbs: \"*\" is a wildcard (no-wildcards)",
          "member 'dan': NetworkPolicy dan/isolation: spec.policyTypes: has no 'Egress'",
          "member 'eve': ClusterRoleBinding kubecamp:gate:eve:view-guest: roleRef: the ClusterRole 'cluster-admin' is none of",
          "member 'eve': Namespace eve: metadata.name: there is no ResourceQuota in it (quota)",
          "these lines to kubecamp's developers",
        ],
        { cwd: copy },
      );
      for (const output of outputs) {
        // Once: whatever is not let through has the same reason.
        assert.equal(output.match(/error: The policy gate stops this run|^error:/gm)?.length, 2, output);
      }
    });
  });

  it("stops what turns out to go to another namespace once that is known, and so nobody has a key by then", async () => {
    await stack.configure([dan, eve]);
    await changed([elsewhere], async () => {
      const { exitCode, output } = await stack.run(["up", "--yes", "--skip-preview"], {}, copy);
      assert.notEqual(exitCode, 0, output);
      assert.match(
        output,
        /metadata\.namespace: is 'kube-public', which is not the member's namespace '(dan|eve)' \(own-places\)/,
      );
      const { names } = stack.sandbox;
      assert.deepEqual(await names("networkpolicy", { namespace: "kube-public" }), []);
      assert.deepEqual(await names("resourcequota", { namespace: "kube-public" }), []);
      assert.deepEqual(await names("rolebinding", { namespace: "eve" }), []);
      assert.doesNotMatch((await names("clusterrolebinding")).join(" "), /kubecamp:gate:eve/);
    });
  });
});
