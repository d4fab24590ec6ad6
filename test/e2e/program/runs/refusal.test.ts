import assert from "node:assert/strict";
import { ApiProxy } from "../../support/cluster/apiProxy.ts";
import { refusedInProcess } from "../inProcess.ts";
import { otherKubeconfig, tokenListing } from "../kubeconfigs.ts";
import { linesBelow } from "../linesBelow.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { served } from "../workloads.ts";

const gus: Entry = { member: "gus", type: "user" };
/** Kinds that a run reads, without Services. */
const readable = [
  ...["namespaces", "limitranges", "resourcequotas", "serviceaccounts", "endpointslices.discovery.k8s.io"],
  ...["ingresses", "networkpolicies"].map((kind) => `${kind}.networking.k8s.io`),
  ...["policies", "policybindings"].map((kind) => `validatingadmission${kind}.admissionregistration.k8s.io`),
  ...["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(
    (kind) => `${kind}.rbac.authorization.k8s.io`,
  ),
];

describe("a run that can't go on", () => {
  const stack = useStack("refusal");

  before(async () => {
    await stack.makeProject();
    await stack.configure([gus]);
    await served(stack, "gus");
    await stack.upFine();
  });
  beforeEach(() => stack.configure([gus]));

  it("takes no refused LIST of Services for an answer, and the live route stays", async () => {
    const name = "reader";
    const token = await tokenListing(stack, name, readable);
    const env = { KUBECONFIG: await otherKubeconfig(stack, { token }) };
    const [preview, up] = await Promise.all([
      stack.run(["preview", "--expect-no-changes"], env),
      stack.run(["up", "--yes", "--skip-preview"], env),
    ]);
    assert.equal(preview.exitCode, 0, preview.output);
    // From another machine, too: the kubeconfig's path and contents are no part of the state.
    assert.deepEqual(preview.steps, []);
    const unchecked = linesBelow("Not checked, ", preview.output);
    assert.ok(
      unchecked.some((line) => line.startsWith("Services: ")),
      preview.output,
    );
    assert.notEqual(up.exitCode, 0);
    assert.match(up.output, /Can't read the Services from the API server https:\/\/127.0.0.1.* 403 /);
    assert.match(up.output, /Nothing was changed/);
    await stack.sandbox.get("ingress", "gus", "ingress-nginx");
    await stack.delete("clusterrolebinding", name);
    await stack.delete("clusterrole", name);
    await stack.delete("serviceaccount", name, "default");
  });

  it("takes no LIST that fails for an answer", async () => {
    const proxy = new ApiProxy();
    const env = await stack.behind(proxy);
    // Otherwise each run would wait for seconds before it asks again.
    proxy.refuse("/api/v1/services", 500, 0);
    const words = `Can't read the Services from the API server ${proxy.url}: 500 refused by the test`;
    await refusedInProcess(stack, [words, "Nothing was changed"], { env });
    await proxy.stop();
  });

  it("tells every mistake of the configuration, and where to correct it", async () => {
    const mistaken = [
      { member: "Gus", type: "user" },
      { member: "hal", type: "gest-user", maxCPUm: 50 },
    ];
    await stack.configure(mistaken, { cluter: {} });
    await refusedInProcess(stack, [
      "has 3 mistakes; nothing was changed.",
      "cluter: is no setting here; did you mean 'cluster'?",
      'members[0].member: "Gus" must be a DNS label',
      "members[1].type: \"gest-user\" is no member type; did you mean 'guest-user'?",
      "Correct Pulumi.refusal.yaml",
    ]);
  });

  it("shows nothing that Pulumi encrypts, tells the line, and prints no stack trace", async () => {
    await stack.write("config:\n  kubecamp:route: { host: camp.test, controller: ingress-nginx }\n");
    const secret = ["--secret", "kubecamp:members[0].subject=very-secret "];
    const values = [...secret, "--plaintext", "kubecamp:members[0].member=bob"];
    const set = await stack.manage("config", "set-all", "--path", ...values, "--stack", stack.name);
    assert.equal(set.exitCode, 0, set.stderr);
    const known = await stack.urns();
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output } = await stack.run(["up", "--yes", "--skip-preview"], {}, stack.folder);
      assert.notEqual(exitCode, 0, output);
      assert.match(output, /Pulumi\.refusal\.yaml:\d+: members\[0\]\.subject: \[secret\] must be one line/);
      assert.doesNotMatch(output, /very-secret|^\s+at .*:\d+:\d+\)?$/m);
    });
    assert.deepEqual([touched, await stack.urns()], [[], known]);
  });

  it("names an Ingress under a member's name that is somebody else's, and leaves it", async () => {
    await stack.kubectl("create", "ingress", "jon", "-n", "ingress-nginx", "--rule=camp.test/jon=web:80");
    await stack.configure([gus, { member: "jon", type: "user" }]);
    await refusedInProcess(stack, ["member 'jon': Ingress 'ingress-nginx/jon' exists already and is not kubecamp's"]);
    await stack.delete("ingress", "jon", "ingress-nginx");
  });

  it("says that the cluster is another than the stack's own, or lacks the controller's namespace", async () => {
    const id = "00000000-0000-0000-0000-000000000000";
    await stack.configure([gus], { cluster: { id } });
    await refusedInProcess(stack, ["this is another cluster: its id is", `(cluster.id) is ${id}`]);
    await stack.configure([gus], { route: { host: "camp.test", namespace: "contour" } });
    await refusedInProcess(stack, ["namespace 'contour' (route.namespace) does not exist"]);
  });
});
