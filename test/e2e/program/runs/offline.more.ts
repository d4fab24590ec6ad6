import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { assertSays, refusalOf, warningsOf } from "../inProcess.ts";
import { otherKubeconfig } from "../kubeconfigs.ts";
import { linesBelow } from "../linesBelow.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { makeNamespace } from "../workloads.ts";

/** Was there before, with a Service: an up takes it over and opens the path, and leaves annotations of another form. */
const bob: Entry = { member: "bob", type: "user", adopt: true };
/** Has a Service that kubecamp makes. */
const mia: Entry = { member: "mia", type: "guest-user", route: { readiness: { mode: "managed" } } };
/** Has none, so that no path is open. */
const pia: Entry = { member: "pia", type: "guest-user" };

/** A port where nobody listens. */
const dead = "https://127.0.0.1:2";

describe("a run that does not find its cluster as usual", () => {
  const stack = useStack("offline");
  let env: Record<string, string>;

  before(async () => {
    const home = await mkdtemp(join(stack.folder, "home-"));
    env = { KUBECAMP_OFFLINE: "1", KUBECONFIG: "", HOME: home };
  });

  const offline = (args: readonly string[] = ["preview"], more: Record<string, string> = {}) =>
    stack.run(args, { ...env, ...more });

  it("previews a stack that is nowhere yet offline, and says what it could not look at", async () => {
    await stack.configure([bob, mia, pia]);
    const { exitCode, output, steps } = await offline();
    assert.equal(exitCode, 0, output);
    assert.deepEqual(
      steps.filter((step) => !step.startsWith("create ")),
      [],
    );
    for (const name of ["bob/namespace", "mia/quota", "mia/service", "pia/binding/edit"]) {
      assert.ok(
        steps.some((step) => step.endsWith(` ${name}`)),
        name,
      );
    }
    assert.ok(output.includes("Offline: this preview had no cluster."), output);
    assert.match(output, /^ +ownership: .*stops a run$/m);
    assert.match(output, /^ +removals: .*maxRemovals and protect could not be checked/m);
    assert.match(output, /^ +adopt: /m);
  });

  it("refuses an up offline before anything is touched", async () => {
    const touched = await touchedBy(stack, async () => {
      const refusal = await refusalOf(stack, false, { env: { KUBECAMP_OFFLINE: "1" } });
      assert.match(refusal, /KUBECAMP_OFFLINE is set, and this is no preview: .*Nothing was changed\./);
    });
    assert.deepEqual(touched, []);
  });

  it("previews no change offline where there is none, whatever live objects made of the last up", async () => {
    await makeNamespace(stack, "bob");
    await stack.sandbox.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "bob-svc", namespace: "bob" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    await stack.upFine();
    const states = JSON.stringify(await stack.outputs());
    assert.match(states, /bob.*"ready".*mia.*"ready".*pia.*"pending"/);

    const unchanged = await offline(["preview", "--diff"]);
    assert.equal(unchanged.exitCode, 0, unchanged.output);
    assert.deepEqual(unchanged.steps, []);
    assert.match(unchanged.output, /not checked: offline/);
  });

  it("previews what the configuration calls for with a dead API server too", async () => {
    const zoe: Entry = { member: "zoe", type: "user" };
    await stack.configure([{ ...bob, maxCPUm: 700 }, { ...mia, route: false }, zoe]);
    const KUBECONFIG = await otherKubeconfig(stack, { server: dead });
    const { exitCode, output, steps } = await offline(["preview"], { KUBECONFIG });
    assert.equal(exitCode, 0, output);
    assert.deepEqual(
      steps.filter((step) => !/ (mia|zoe|pia)(\/|$)/.test(step)),
      ["update kubernetes:core/v1:ResourceQuota bob/quota"],
    );
    assert.deepEqual(
      steps.filter((step) => step.includes("/route/")),
      [
        "delete kubernetes:networking.k8s.io/v1:Ingress mia/route/ingress",
        "delete kubernetes:core/v1:Service mia/route/service",
      ],
    );
    const operations = (name: string) =>
      new Set(steps.filter((step) => step.includes(` ${name}/`)).map((step) => step.split(" ")[0]));
    assert.deepEqual([...operations("zoe")], ["create"]);
    assert.deepEqual([...operations("pia")], ["delete"]);
    assert.deepEqual(linesBelow("Routes that were open, ", output), ["mia: route: false"]);
    assert.ok(!output.includes("No longer in the list"), output);
  });

  /** The server that kubectl takes, which is client-go's choice and so the plugin's. */
  const chosenByKubectl = async (KUBECONFIG: string) => {
    const jsonpath = "jsonpath={.clusters[0].cluster.server}";
    const env = { ...stack.sandbox.env, KUBECONFIG };
    return (await execa("kubectl", ["config", "view", "--minify", "-o", jsonpath], { env })).stdout;
  };
  /** The sandbox's kubeconfig with something else in it. */
  const changed = async (change: (config: Kubeconfig) => object | Promise<object>) => {
    const path = await otherKubeconfig(stack);
    const config = JSON.parse(await readFile(path, "utf8")) as Kubeconfig;
    await writeFile(path, JSON.stringify({ ...config, ...(await change(config)) }));
    return path;
  };

  it("reads the cluster that kubectl takes from several kubeconfigs, with a plugin's certificate", async () => {
    const here = await changed(async ({ users: [{ name, user }] }) => {
      const pem = async (key: string) =>
        user[key] === undefined
          ? Buffer.from(user[`${key}-data`] ?? "", "base64").toString()
          : await readFile(user[key], "utf8");
      const status = {
        clientCertificateData: await pem("client-certificate"),
        clientKeyData: await pem("client-key"),
      };
      const apiVersion = "client.authentication.k8s.io/v1";
      const credential = join(stack.folder, "credential.json");
      await writeFile(credential, JSON.stringify({ apiVersion, kind: "ExecCredential", status }));
      const exec = { apiVersion, command: "cat", args: [credential], interactiveMode: "Never" };
      return { users: [{ name, user: { exec } }] };
    });
    const elsewhere = await otherKubeconfig(stack, { server: dead });
    const missing = join(stack.folder, "missing");

    const first = [missing, here, elsewhere].join(delimiter);
    assert.notEqual(await chosenByKubectl(first), dead);
    assert.match(await warningsOf(stack, { env: { KUBECONFIG: first } }), /zoe/);
    // All names in them are the same.
    const KUBECONFIG = [elsewhere, here].join(delimiter);
    assert.equal(await chosenByKubectl(KUBECONFIG), dead);
    const refusal = await refusalOf(stack, true, { env: { KUBECONFIG } });
    assertSays(refusal, [`Can't read the Namespaces from the API server ${dead}: connect ECONNREFUSED`]);
  });

  it("says that the certificate is from an unknown CA", async () => {
    let server = "";
    const KUBECONFIG = await changed(({ clusters: [{ name, cluster }] }) => {
      server = cluster.server;
      return { clusters: [{ name, cluster: { server } }] };
    });
    const refusal = await refusalOf(stack, true, { env: { KUBECONFIG } });
    assertSays(refusal, [
      `Can't read the Namespaces from the API server ${server}`,
      "The certificate is from a CA that neither the kubeconfig nor this machine knows",
    ]);
  });
});

/** As the tests write one. */
interface Kubeconfig {
  readonly clusters: readonly [{ readonly name: string; readonly cluster: { readonly server: string } }];
  readonly users: readonly [{ readonly name: string; readonly user: Readonly<Record<string, string>> }];
}
