import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";
import { guardsOf, inventory } from "./inventory.ts";
import { type Entry, type Run, useStack } from "./stack.ts";
import { touchedBy } from "./touched.ts";

const user = (member: string, more: Record<string, unknown> = {}): Entry => ({ member, type: "user", ...more });
const [ida, jon, kay, leo, mia, ned, ola] = ["ida", "jon", "kay", "leo", "mia", "ned", "ola"].map((name) =>
  user(name),
) as [Entry, Entry, Entry, Entry, Entry, Entry, Entry];
const guardedIda = { ...ida, protect: true };
const everyone = [guardedIda, jon, leo, mia, ned];

/** What kay has: two pods that run, one that waits for a node, one that is done, and two claims. */
const possessions = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
---
apiVersion: v1
kind: Service
metadata: { name: kay-svc }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: waiting }
spec: { schedulerName: nobody, containers: [{ name: main, image: main }] }
---
apiVersion: v1
kind: Pod
metadata: { name: done }
spec: { schedulerName: nobody, containers: [{ name: main, image: main }] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], storageClassName: "", resources: { requests: { storage: 500Mi } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: cache }
spec: { accessModes: [ReadWriteOnce], storageClassName: "", resources: { requests: { storage: 100Mi } } }
`;

describe("whoever leaves the list", function () {
  this.timeout(300_000);
  // Where a test fails half-way, what is protected would stay in everybody's way.
  after(() => stack.manage("state", "unprotect", "--all", "--yes", "--stack", stack.name));
  const stack = useStack("leaving");
  let empty: string[];

  const has = (run: Run, words: readonly (string | RegExp)[]) => {
    for (const word of words) {
      assert.ok(
        typeof word === "string" ? run.output.includes(word) : word.test(run.output),
        `${word} in\n${run.output}`,
      );
    }
  };
  /** Preview and up both fail with these words; cluster and state are as before. */
  const refused = async (...words: (string | RegExp)[]) => {
    const resources = await stack.resources();
    const touched = await touchedBy(stack, async () => {
      for (const run of await Promise.all([stack.preview(), stack.up()])) {
        assert.notEqual(run.exitCode, 0, run.output);
        has(run, words);
        assert.doesNotMatch(run.output, /^\s+at .*:\d+:\d+\)?$/m);
      }
    });
    assert.deepEqual(touched, []);
    assert.deepEqual(await stack.resources(), resources);
  };
  const named = async (name: string) =>
    (await inventory(stack.sandbox)).filter((it) => it.split(/[ /:]/).some((part) => part.startsWith(name)));

  before(async () => {
    empty = await inventory(stack.sandbox);
    await stack.configure([ida, jon, kay, leo, mia, ned, ola]);
    await stack.upFine();
    const applied = await stack.sandbox.kubectl(["apply", "-n", "kay", "-f", "-"], { input: possessions });
    assert.equal(applied.exitCode, 0, applied.stderr);
    const done = ["--subresource=status", "--type=merge", "-p", '{"status":{"phase":"Succeeded"}}'];
    await stack.kubectl("patch", "pod", "done", "-n", "kay", ...done);
    await stack.kubectl("wait", "deployment/web", "-n", "kay", "--for=jsonpath={.status.readyReplicas}=2");
    await stack.upFine();
  });

  it("is told in the preview with what is lost, which touches nothing", async () => {
    await stack.configure([ida, jon, leo, mia, ned, ola]);
    const touched = await touchedBy(stack, async () => {
      const preview = await stack.preview();
      assert.equal(preview.exitCode, 0, preview.output);
      has(preview, [
        "No longer in the list. 'pulumi up' deletes all that is theirs, and that can't be undone:",
        "  kay: namespace with 3 unfinished pods, 2 PersistentVolumeClaims (cache 100Mi, data 500Mi), 1 Service (kay-svc); " +
          "route https://camp.test/kay/; access (2 bindings)\n",
      ]);
      assert.doesNotMatch(preview.output, /^ *(ida|jon|leo|mia|ned|ola): namespace/m);
    });
    assert.deepEqual(touched, []);
  });

  it("goes with every trace, and nobody else is touched", async () => {
    const theirs = await named("kay");
    assert.ok(theirs.includes("PersistentVolumeClaim kay/data") && theirs.includes("Ingress ingress-nginx/kay"));
    const touched = await touchedBy(stack, () => stack.upFine());
    assert.deepEqual(touched, theirs);
    assert.deepEqual(await named("kay"), []);
    assert.deepEqual(
      (await stack.urns()).filter((urn) => urn.includes("::kay")),
      [],
    );
  });

  it("goes with the next up when the one that removed them was killed, and counts no more by then", async () => {
    // As with a volume that is slow to detach, a namespace is not gone before its last object lets go.
    await stack.kubectl("create", "configmap", "slow", "-n", "ola");
    const hold = (finalizers: string[]) =>
      stack.kubectl(
        "patch",
        "configmap",
        "slow",
        "-n",
        "ola",
        "--type=merge",
        "-p",
        JSON.stringify({ metadata: { finalizers } }),
      );
    await hold(["example.org/slow"]);
    await stack.configure([ida, jon, leo, mia, ned]);
    const child = execa("pulumi", [...stack.flags(["up", "--yes", "--skip-preview"]), "--non-interactive"], {
      cwd: repository,
      env: stack.sandbox.env,
      reject: false,
      // Else it would be waited for with its plugins, which wait for the namespace.
      stdio: "ignore",
    });
    const phase = () => stack.kubectl("get", "namespace", "ola", "-o", "jsonpath={.status.phase}");
    while ((await phase()) !== "Terminating") {
      assert.equal(child.exitCode, null, "the up was over before it could be killed");
      await setTimeout(100);
    }
    child.kill("SIGKILL");
    await child;
    const cancelled = await stack.manage("cancel", "--yes", stack.name);
    assert.equal(cancelled.exitCode, 0, cancelled.stderr);

    await stack.configure([ida, jon, leo, mia, ned], { offboarding: { maxRemovals: 0 } });
    has(await stack.preview(), ["  ola: namespace, which is being deleted already, with no unfinished pods"]);
    await hold([]);
    await stack.upFine();
    assert.deepEqual(await named("ola"), []);
    assert.deepEqual(
      (await stack.urns()).filter((urn) => urn.includes("::ola")),
      [],
    );
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });

  it("doesn't go with three more at once: preview and up fail, and name all four", async () => {
    await stack.configure([ida]);
    await refused("4 members are no longer in the list; a run may remove 3", /\n +jon, leo, mia, ned\n/);
  });

  it("doesn't go because the list is empty, in the configuration or a file, and all who would have gone are named", async () => {
    const words = ["the list of members is empty", "5 members are still here", /\n +ida, jon, leo, mia, ned\n/];
    await stack.configure([]);
    await refused(...words);
    const file = join(stack.folder, "members.yaml");
    await stack.configure(undefined, { membersFile: relative(repository, file) });
    for (const emptied of ["", "[]\n"]) {
      await writeFile(file, emptied);
      await refused(...words);
    }
  });

  it("is marked, if protected, on the cluster and in the state, and nothing else changes", async () => {
    await stack.configure(everyone);
    assert.deepEqual((await stack.upFine()).steps, ["update kubernetes:core/v1:Namespace ida/namespace"]);
    const clean = await stack.preview("--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
  });

  it("stops preview and up, if protected, before Pulumi does, with the way out", async () => {
    await stack.configure(everyone.slice(1));
    await refused(/a protected member is no longer in the list, and can't be removed:\n +ida\n/, "protect: false");
  });

  it("stops Pulumi, if protected, even if somebody took the label off", async () => {
    await stack.kubectl("label", "namespace", "ida", "kubecamp.dev/protected-");
    const resources = await stack.resources();
    const touched = await touchedBy(stack, async () => {
      for (const run of [await stack.preview(), await stack.run(["up", "--yes"])]) {
        assert.notEqual(run.exitCode, 0, run.output);
        has(run, [/ida\/namespace"? cannot be deleted\s+because it is protected/]);
      }
    });
    assert.deepEqual(touched, []);
    const nameIn = ({ urn }: { urn: string }) => urn.split("::").at(-1) ?? "";
    assert.deepEqual((await stack.resources()).map(nameIn).sort(), resources.map(nameIn).sort());
  });

  it("gets the label of protection back with the entry", async () => {
    await stack.configure(everyone);
    has(await stack.upFine(), ["Changed by hand, and put back by 'pulumi up':", "Namespace ida"]);
    const path = "jsonpath={.metadata.labels.kubecamp\\.dev/protected}";
    assert.equal(await stack.kubectl("get", "namespace", "ida", "-o", path), "true");
  });

  it("goes with three more at once where the message's own command allows it", async () => {
    await stack.configure([guardedIda]);
    const { output } = await stack.preview();
    const [command = ""] = /pulumi config set .*/.exec(output) ?? [];
    const set = await stack.manage(...command.split(" ").slice(1));
    assert.equal(set.exitCode, 0, set.stderr);
    await stack.upFine();
    const left = (await inventory(stack.sandbox)).filter((name) => !empty.includes(name));
    const roles = ["ClusterRole kubecamp:leaving:view", "ClusterRole kubecamp:leaving:view-guest"];
    assert.deepEqual(left, [...roles, ...guardsOf("leaving"), ...(await named("ida"))].sort());
  });

  it("stays as a whole in a destroy if they are protected", async () => {
    const touched = await touchedBy(stack, async () => {
      const run = await stack.run(["destroy", "--yes"]);
      assert.notEqual(run.exitCode, 0, run.output);
      has(run, [/cannot be deleted\s+because it is protected/]);
    });
    assert.deepEqual(touched, []);
  });

  it("keeps namespace and guard rails in a destroy without preview if they are protected, and gets the rest back", async () => {
    const whole = await named("ida");
    const run = await stack.run(["destroy", "--yes", "--skip-preview"]);
    assert.notEqual(run.exitCode, 0, run.output);
    const left = await named("ida");
    assert.deepEqual(
      whole.filter((name) => !left.includes(name)),
      ["ClusterRoleBinding kubecamp:leaving:ida:view", "RoleBinding ida/kubecamp-edit"],
    );
    await stack.upFine();
    assert.deepEqual(await named("ida"), whole);
    assert.equal((await stack.preview("--refresh", "--expect-no-changes")).exitCode, 0);
  });

  it("goes once protection is off, and as the last if that is allowed outright", async () => {
    await stack.configure([{ ...ida, protect: false }]);
    assert.deepEqual((await stack.upFine()).steps, ["update kubernetes:core/v1:Namespace ida/namespace"]);
    await stack.configure([], { offboarding: { maxRemovals: 1 } });
    await stack.upFine();
    assert.deepEqual(await named("ida"), []);
  });

  it("doesn't keep a stack from starting with an empty list once nobody is there", async () => {
    await stack.configure([]);
    const { output } = await stack.upFine();
    assert.doesNotMatch(output, /No longer in the list/);
  });
});
