import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { assertSays, refusalOf, warningsOf } from "../inProcess.ts";
import { otherKubeconfig } from "../kubeconfigs.ts";
import { useStack } from "../stack.ts";

/** A port without a service. */
const nowhere = "https://127.0.0.1:2";

describe("a run with kubeconfigs of another kind", () => {
  const stack = useStack("kubeconfigs");
  before(() => stack.configure([]));

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

  it("reads the cluster that kubectl takes from several files, with a plugin's certificate", async () => {
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
    const elsewhere = await otherKubeconfig(stack, { server: nowhere });
    const missing = join(stack.folder, "missing");

    const first = [missing, here, elsewhere].join(delimiter);
    assert.notEqual(await chosenByKubectl(first), nowhere);
    assert.equal(await warningsOf(stack, { env: { KUBECONFIG: first } }), "");
  });

  it("reads the first file's cluster, though all names are the same", async () => {
    const files = [await otherKubeconfig(stack, { server: nowhere }), await otherKubeconfig(stack)];
    const KUBECONFIG = files.join(delimiter);
    assert.equal(await chosenByKubectl(KUBECONFIG), nowhere);
    const refusal = await refusalOf(stack, true, { env: { KUBECONFIG } });
    assertSays(refusal, [`Can't read the Namespaces from the API server ${nowhere}: connect ECONNREFUSED`]);
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
