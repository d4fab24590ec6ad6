import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AdmissionPolicy, admissionPolicies, confiningPolicies } from "../../../config/names/names.ts";
import { isController, isPlatform } from "../../../objects/admission/admissionPolicy.ts";
import { isHandedOn } from "../../../objects/admission/podSpecs.ts";
import { policyOf } from "../../../objects/admission/policies.ts";
import { repository } from "../../../sandbox/paths.ts";
import { settings } from "../samples.ts";

const all: readonly AdmissionPolicy[] = [...admissionPolicies, ...confiningPolicies, "restarts", "tokens"];

/** Conditions in CEL by which a policy spares somebody, in the words of the page. */
const conditions: Readonly<Record<string, string>> = {
  controllers: isController,
  "parts of other objects": isHandedOn,
  "the platform": isPlatform,
  writers: `authorizer.group('apps').resource(request.resource.resource).namespace(request.namespace)
    .check('create').allowed()`,
};
/** Titles of the tests in which a member tries to use an exemption, by the policies and the exempt of its row. */
const tried: Readonly<Record<string, readonly string[]>> = {
  "amounts, finalizers, reserved, restarts, routes, services, storage: the platform": [
    "takes their own namespace out of the stack's policies",
  ],
  "amounts: controllers": ["makes a CronJob whose Jobs have two billion pods"],
  "devices: kube-scheduler": ["judges pods that another object seems to control, and claims that a controller makes"],
  "finalizers: controllers": ["has a ReplicaSet take a pod that a Job tracks, which is never gone then"],
  "images, pods, tokens: nobody": ["has a ReplicationController run an image off the list"],
  "pools, runtimes, users: parts of other objects": [
    "judges pods that another object seems to control, and claims that a controller makes",
  ],
  "reserved: controllers": ["refuses an autoscaler from before that scales a given Deployment"],
  "restarts: controllers, writers": [
    "an applier that owns its containers",
    "lets staff with edit do what the member may, under the member's guard rails",
  ],
  "routes: endpoint-controller, endpointslice-controller, endpointslicemirroring-controller, generic-garbage-collector":
    ["lets no other controller do for a member what only the platform may"],
  "storage: persistent-volume-binder": ["has the controller of ephemeral volumes make a claim that is bound"],
  "storage: controllers": ["chooses a volume for the claims that a StatefulSet makes"],
};
/** Names in a condition about who asks. */
const users = /request\.userInfo\.username (?:== ('[^']+')|in \[([^\]]+)\])/g;
/** Stands for each of Kubernetes' controllers. */
const allInOne = "kube-controller-manager";

const onOneLine = (text: string) => text.trim().replaceAll(/\s*\n\s*/g, " ");

/** Whom a policy spares, and what of it this test knows nothing about. */
function exemptions(name: AdmissionPolicy): { readonly exempt: readonly string[]; readonly unknown: boolean } {
  const texts = JSON.stringify(policyOf(name, settings).spec, (_, value) =>
    typeof value === "string" ? onOneLine(value.replaceAll('"', "'")) : value,
  );
  const found = Object.entries(conditions).filter(([, text]) => texts.includes(onOneLine(text)));
  const rest = found.reduce((left, [, text]) => left.replaceAll(onOneLine(text), ""), texts);
  const named = [...rest.matchAll(users)].flatMap(([, one, more]) => (one ?? more ?? "").split(", "));
  const short = named.map((user) => user.slice(1, -1).split(":").at(-1) ?? "").filter((user) => user !== allInOne);
  return {
    exempt: [...found.map(([words]) => words), ...short.map((user) => `\`${user}\``)].sort(),
    unknown: /userInfo|authorizer/.test(rest.replaceAll(users, "")),
  };
}

describe("the table of who is exempt from policies", () => {
  const page = readFileSync(join(repository, "docs/security/security.md"), "utf8");
  const [, table = ""] = /^\| policy \| exempt \|.*\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );

  it("the table of exemptions has whom the policies spare, and nobody else", () => {
    const told = (name: string) =>
      rows
        .filter(([policies = ""]) => policies.split(", ").includes(`\`${name}\``))
        .flatMap(([, exempt = ""]) => exempt.split(", "))
        .filter((exempt) => exempt !== "nobody");
    assert.deepEqual(
      all.map((name) => ({ name, exempt: told(name).sort(), unknown: false })),
      all.map((name) => ({ name, ...exemptions(name) })),
    );
  });

  it("the table of exemptions has every policy, and a reason for each exemption", () => {
    const named = new Set(rows.flatMap(([policies = ""]) => policies.split(", ")));
    assert.deepEqual([...named].sort(), all.map((name) => `\`${name}\``).sort());
    for (const [policies, exempt, why = ""] of rows) {
      assert.ok(exempt === "nobody" || why !== "", `${policies}: ${exempt}`);
    }
  });

  it("a member tries to use every exemption, in a test that is there", () => {
    const tests = globSync("test/e2e/isolation/**/*.ts", { cwd: repository })
      .map((file) => readFileSync(join(repository, file), "utf8"))
      .join();
    assert.deepEqual(
      Object.keys(tried),
      rows.map(([policies = "", exempt = ""]) => `${policies}: ${exempt}`.replaceAll("`", "")),
    );
    for (const title of Object.values(tried).flat()) {
      assert.ok(tests.includes(JSON.stringify(title)), title);
    }
  });
});
