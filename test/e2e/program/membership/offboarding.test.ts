import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { V1Namespace } from "@kubernetes/client-node";
import { repository } from "../../../../sandbox/paths.ts";
import { assertSays, refusalOf, refusedInProcess, warningsOf } from "../inProcess.ts";
import { guardsOf, inventory } from "../inventory.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { served } from "../workloads.ts";
import { hangOn } from "./hanging.ts";

const user = (member: string): Entry => ({ member, type: "user" });
const [ida, jon, kay, leo, mia, ned] = [user("ida"), user("jon"), user("kay"), user("leo"), user("mia"), user("ned")];
const guardedIda = { ...ida, protect: true };

/** kay's objects: two running pods, one that waits for a node, one that is done, and two claims. */
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

describe("whoever leaves the list", () => {
  const stack = useStack("leaving");
  let empty: string[];

  const named = async (...names: string[]) =>
    (await inventory(stack.sandbox)).filter((it) =>
      it.split(/[ /:]/).some((part) => names.some((name) => part.startsWith(name))),
    );

  before(async () => {
    empty = await inventory(stack.sandbox);
    await stack.configure([guardedIda, jon, kay, leo, mia, ned]);
    await served(stack, "kay", { selector: { app: "web" } });
    await stack.upFine();
    const applied = await stack.sandbox.kubectl(["apply", "-n", "kay", "-f", "-"], { input: possessions });
    assert.equal(applied.exitCode, 0, applied.stderr);
    const done = ["--subresource=status", "--type=merge", "-p", '{"status":{"phase":"Succeeded"}}'];
    await stack.kubectl("patch", "pod", "done", "-n", "kay", ...done);
    await stack.kubectl("wait", "deployment/web", "-n", "kay", "--for=jsonpath={.status.readyReplicas}=2");
    await hangOn(stack, "kay", "rolebinding/kubecamp-edit", "namespace/kay");
    // Made by a member who stays.
    await hangOn(stack, "ida", "namespace/jon");
  });

  it("previews who leaves with what is lost, without touching anything", async () => {
    await stack.configure([guardedIda, jon, leo, mia, ned]);
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output } = await stack.preview();
      assert.equal(exitCode, 0, output);
      assertSays(output, [
        "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
        "  kay: namespace with 3 unfinished pods, 2 PersistentVolumeClaims (cache 100Mi, data 500Mi), 1 Service (kay-svc); " +
          "route https://camp.test/kay/; access (2 bindings)\n",
      ]);
      assert.doesNotMatch(output, /^ *(ida|jon|leo|mia|ned): namespace/m);
    });
    assert.deepEqual(touched, []);
  });

  it("fails where five members leave at once, and names them all", async () => {
    await stack.configure([guardedIda]);
    await refusedInProcess(stack, [
      "5 members are no longer in the list; a run may remove 3",
      /\n +jon, kay, leo, mia, ned\n/,
    ]);
  });

  it("removes nobody because the members' file is empty", async () => {
    const file = join(stack.folder, "members.yaml");
    await stack.configure(undefined, { membersFile: relative(repository, file) });
    await writeFile(file, "");
    await refusedInProcess(stack, ["the list of members is empty", "6 members are still here"]);
  });

  it("stops where a protected member leaves, before Pulumi does, and says what to do", async () => {
    await stack.configure([jon, kay, leo, mia, ned]);
    await refusedInProcess(stack, [
      /a protected member is no longer in the list, and can't be removed:\n +ida\n/,
      "protect: false",
    ]);
  });

  it("has Pulumi refuse to delete a protected member even without the label", async () => {
    await stack.sandbox.patch("namespace", "ida", undefined, {
      metadata: { labels: { "kubecamp.dev/protected": null } },
    });
    const nameIn = ({ urn }: { urn: string }) => urn.split("::").at(-1) ?? "";
    const then = (await stack.resources()).map(nameIn).sort();
    const touched = await touchedBy(stack, async () => {
      // The preview at the start of up stops it.
      const { exitCode, output } = await stack.run(["up", "--yes"]);
      assert.notEqual(exitCode, 0, output);
      assertSays(output, [/ida\/namespace"? cannot be deleted\s+because it is protected/]);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual((await stack.resources()).map(nameIn).sort(), then);
  });

  it("removes five members without a trace once the message's own command allows it", async () => {
    await stack.configure([guardedIda]);
    const [command = ""] = /pulumi config set .*/.exec(await refusalOf(stack, true)) ?? [];
    const set = await stack.manage(...command.split(" ").slice(1));
    assert.equal(set.exitCode, 0, set.stderr);
    const theirs = await named("jon", "kay", "leo", "mia", "ned");
    assert.ok(theirs.includes("ConfigMap kay/hanging"));
    assert.ok(theirs.includes("PersistentVolumeClaim kay/data") && theirs.includes("Ingress ingress-nginx/kay"));
    let output = "";
    const touched = await touchedBy(stack, async () => {
      output = (await stack.upFine()).output;
    });
    assert.deepEqual(touched, [...theirs, "Namespace ida"].sort());
    const left = (await inventory(stack.sandbox)).filter((name) => !empty.includes(name));
    const roles = ["ClusterRole kubecamp:leaving:view", "ClusterRole kubecamp:leaving:view-guest"];
    assert.deepEqual(left, [...roles, ...guardsOf("leaving"), ...(await named("ida"))].sort());
    assert.deepEqual(
      (await stack.urns()).filter((urn) => /::(jon|kay|leo|mia|ned)/.test(urn)),
      [],
    );
    // The entry brings back the protection label that was removed.
    assertSays(output, ["Changed by hand; 'pulumi up' restores it:", "Namespace ida"]);
    const { metadata } = await stack.sandbox.get<V1Namespace>("namespace", "ida");
    assert.equal(metadata?.labels?.["kubecamp.dev/protected"], "true");
  });

  it("keeps a protected member's namespace and guard rails in a destroy without preview", async () => {
    const whole = await named("ida");
    const run = await stack.run(["destroy", "--yes", "--skip-preview"]);
    assert.notEqual(run.exitCode, 0, run.output);
    const left = await named("ida");
    assert.deepEqual(
      whole.filter((name) => !left.includes(name)),
      ["ClusterRoleBinding kubecamp:leaving:ida:view", "RoleBinding ida/kubecamp-edit"],
    );
    // What is left is taken over in place.
    await stack.configure([{ ...ida, protect: false }]);
    const { steps } = await stack.upFine();
    assert.deepEqual(
      steps.filter((step) => !/^(create|update) /.test(step)),
      [],
    );
    assert.deepEqual(await named("ida"), whole);
  });

  it("removes the last member if that is allowed, and takes an empty list after that", async () => {
    await stack.configure([], { offboarding: { maxRemovals: 1 } });
    const { steps } = await stack.upFine("--refresh");
    assert.deepEqual(
      steps.filter((step) => !/^delete .* ida(\/|$)/.test(step)),
      [],
    );
    assert.deepEqual(await named("ida"), []);
    await stack.configure([]);
    assert.equal(await warningsOf(stack), "");
  });
});
