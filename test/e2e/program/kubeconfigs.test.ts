import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { otherKubeconfig } from "./kubeconfigs.ts";
import { useStack } from "./stack.ts";

/** A port without a service. */
const nowhere = "https://127.0.0.1:2";

describe("a run with kubeconfigs of another kind", function () {
  this.timeout(120_000);
  const stack = useStack("kubeconfigs");
  before(() => stack.configure([]));

  const preview = (KUBECONFIG: string) => stack.run(["preview"], { KUBECONFIG });

  /** The server that kubectl takes, which is client-go's choice and so the plugin's. */
  const chosenByKubectl = async (KUBECONFIG: string) => {
    const jsonpath = "jsonpath={.clusters[0].cluster.server}";
    const env = { ...stack.sandbox.env, KUBECONFIG };
    return (await execa("kubectl", ["config", "view", "--minify", "-o", jsonpath], { env })).stdout;
  };

  it("reads the cluster that kubectl takes from several files: the first one's, though all names are the same", async () => {
    const here = await otherKubeconfig(stack);
    const elsewhere = await otherKubeconfig(stack, { server: nowhere });
    const missing = join(stack.folder, "missing");

    const first = [missing, here, elsewhere].join(delimiter);
    assert.notEqual(await chosenByKubectl(first), nowhere);
    const fine = await preview(first);
    assert.equal(fine.exitCode, 0, fine.output);

    const last = [elsewhere, here].join(delimiter);
    assert.equal(await chosenByKubectl(last), nowhere);
    const refused = await preview(last);
    assert.notEqual(refused.exitCode, 0, refused.output);
    assert.ok(
      refused.output.includes(`Can't read the Namespaces from the API server ${nowhere}: connect ECONNREFUSED`),
      refused.output,
    );
  });

  it("says that the certificate is from an unknown CA", async () => {
    const KUBECONFIG = await otherKubeconfig(stack);
    const config = JSON.parse(await readFile(KUBECONFIG, "utf8"));
    const { server } = config.clusters[0].cluster;
    config.clusters[0].cluster = { server };
    await writeFile(KUBECONFIG, JSON.stringify(config));
    const { exitCode, output } = await preview(KUBECONFIG);
    assert.notEqual(exitCode, 0, output);
    assert.ok(output.includes(`Can't read the Namespaces from the API server ${server}`), output);
    assert.ok(
      output.includes("The certificate is from a CA that neither the kubeconfig nor this machine knows"),
      output,
    );
    assert.doesNotMatch(output, /^\s+at .*:\d+:\d+\)?$/m);
  });

  it("signs in with the certificate that a credential plugin prints", async () => {
    const KUBECONFIG = await otherKubeconfig(stack);
    const config = JSON.parse(await readFile(KUBECONFIG, "utf8"));
    const { user } = config.users[0];
    const pem = async (key: string) =>
      user[key] === undefined
        ? Buffer.from(user[`${key}-data`], "base64").toString()
        : await readFile(user[key], "utf8");
    const status = {
      clientCertificateData: await pem("client-certificate"),
      clientKeyData: await pem("client-key"),
    };
    const apiVersion = "client.authentication.k8s.io/v1";
    const credential = join(stack.folder, "credential.json");
    await writeFile(credential, JSON.stringify({ apiVersion, kind: "ExecCredential", status }));
    const exec = { apiVersion, command: "cat", args: [credential], interactiveMode: "Never" };
    await writeFile(KUBECONFIG, JSON.stringify({ ...config, users: [{ name: config.users[0].name, user: { exec } }] }));
    const { exitCode, output } = await preview(KUBECONFIG);
    assert.equal(exitCode, 0, output);
  });

  it("says that no context is current", async () => {
    const KUBECONFIG = await otherKubeconfig(stack);
    const config = JSON.parse(await readFile(KUBECONFIG, "utf8"));
    await writeFile(KUBECONFIG, JSON.stringify({ ...config, "current-context": "" }));
    const { exitCode, output } = await preview(KUBECONFIG);
    assert.notEqual(exitCode, 0, output);
    assert.ok(output.includes(`The kubeconfig ${KUBECONFIG} has no current context`), output);
    assert.doesNotMatch(output, /^\s+at .*:\d+:\d+\)?$/m);
  });
});
