import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { findApiTarget, type Surroundings } from "../../../../../cluster/api/kubeconfig/kubeconfig.ts";
import { mergeKubeconfigs, parseKubeconfig } from "../../../../../cluster/api/kubeconfig/kubeconfigFile.ts";
import { useFolder } from "../../../testFolder.ts";

const kubeconfig = (name: string, { current = name, server = `https://${name}:6443` } = {}) => ({
  "current-context": current,
  contexts: [{ name, context: { cluster: name, user: name } }],
  clusters: [{ name, cluster: { server } }],
  users: [{ name, user: { token: name } }],
});

describe("a kubeconfig", () => {
  it("reads a kubeconfig's paths from its folder, but looks up a bare command on the PATH", () => {
    const { clusters, users } = parseKubeconfig(
      {
        clusters: [{ name: "a", cluster: { server: "https://a", "certificate-authority": "ca.crt" } }],
        users: [
          { name: "a", user: { "client-certificate": "../a.crt", "client-key": "/keys/a.key", tokenFile: "" } },
          { name: "b", user: { tokenFile: "b.token", exec: { command: "./bin/login" } } },
          { name: "c", user: { exec: { command: "aws" } } },
        ],
      },
      "/home/admin/.kube",
    );
    assert.deepEqual(Object.fromEntries(clusters), {
      a: { server: "https://a", "certificate-authority": "/home/admin/.kube/ca.crt" },
    });
    assert.deepEqual(Object.fromEntries(users), {
      a: { "client-certificate": "/home/admin/a.crt", "client-key": "/keys/a.key", tokenFile: "" },
      b: { tokenFile: "/home/admin/.kube/b.token", exec: { command: "/home/admin/.kube/bin/login" } },
      c: { exec: { command: "aws" } },
    });
  });

  it("prefers the first kubeconfig, for the current context and every name, and mixes no entries", () => {
    const files = [
      { ...kubeconfig("none", { current: "" }), clusters: [{ name: "a", cluster: { server: "https://first" } }] },
      { ...kubeconfig("a"), clusters: [{ name: "a", cluster: { server: "https://second", "proxy-url": "http://p" } }] },
      { ...kubeconfig("b"), users: [{ name: "a", user: { token: "third" } }] },
    ];
    assert.deepEqual(mergeKubeconfigs(files.map((file) => parseKubeconfig(file, "/"))), {
      currentContext: "a",
      contexts: new Map([
        ["b", { cluster: "b", user: "b" }],
        ["a", { cluster: "a", user: "a" }],
        ["none", { cluster: "none", user: "none" }],
      ]),
      clusters: new Map<string, object>([
        ["b", { server: "https://b:6443" }],
        ["a", { server: "https://first" }],
      ]),
      users: new Map([
        ["a", { token: "a" }],
        ["none", { token: "none" }],
      ]),
    });
  });
});

describe("the cluster of a run", () => {
  const folder = useFolder();
  const inFolder = (name: string) => join(folder.path, name);
  const file = (name: string, content: unknown) => {
    folder.write({ [name]: typeof content === "string" ? content : JSON.stringify(content) });
    return inFolder(name);
  };
  const find = (env: Surroundings["env"], context?: string) =>
    findApiTarget(context, { env, serviceAccount: inFolder("serviceaccount") });
  const refused = (env: Surroundings["env"], message: string, context?: string) =>
    assert.throws(() => find(env, context), { message });
  const wayOut =
    "Correct the kubeconfig, or choose another context: cluster.context, or kubectl config use-context NAME.";

  it("takes the current context's cluster from the first kubeconfig that is there and not empty", () => {
    const files = [file("empty", "\n"), file("first", kubeconfig("a")), file("second", kubeconfig("b"))] as const;
    const [empty, ...others] = files;
    const KUBECONFIG = [inFolder("missing"), empty, "", ...others].join(delimiter);
    const server = "https://a:6443";
    const source = `the kubeconfig ${files.join(", ")}`;
    assert.deepEqual(find({ KUBECONFIG }), { source, server, cluster: { server }, user: { token: "a" } });
    assert.equal(find({ KUBECONFIG }, "b").server, "https://b:6443");
  });

  it("takes the cluster from ~/.kube/config while KUBECONFIG is not set or empty", () => {
    file(".kube/config", kubeconfig("home"));
    const HOME = folder.path;
    for (const env of [{ HOME }, { HOME, KUBECONFIG: "" }]) {
      assert.equal(find(env).server, "https://home:6443");
    }
  });

  it("takes the pod's own cluster where no kubeconfig says anything", () => {
    const tokenFile = file("serviceaccount/token", "secret");
    const pod = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const server = "https://[fd00::1]:443";
    assert.deepEqual(find({ KUBECONFIG: inFolder("missing"), ...pod }), {
      source: `the pod's folder ${inFolder("serviceaccount")}`,
      ...{ server, user: { tokenFile } },
      cluster: { server, "certificate-authority": inFolder("serviceaccount/ca.crt") },
    });
    assert.equal(find({ KUBECONFIG: file("outside", kubeconfig("a")), ...pod }).server, "https://a:6443");
  });

  const fixed = kubeconfig("a");
  const has = "of the kubeconfig PATH";
  const rows: [what: string, content: object | undefined, message: string, context?: string][] = [
    [
      "no kubeconfig",
      undefined,
      "There is no kubeconfig at PATH.\nPoint KUBECONFIG at a kubeconfig of the cluster, then run again.",
    ],
    [
      "no current context",
      kubeconfig("a", { current: "" }),
      "The kubeconfig PATH has no current context, and none is named (cluster.context).\n" +
        "Set cluster.context, or run: kubectl config use-context NAME (the kubeconfig has a).",
    ],
    [
      "a current context that is not there",
      kubeconfig("a", { current: "b" }),
      `The current context 'b' is no context ${has} (it has a).\n${wayOut}`,
    ],
    [
      "another context that is not there",
      fixed,
      "cluster.context: 'c' is no context of the kubeconfig (it has a).\n" +
        "Name another there, or point KUBECONFIG at the kubeconfig that has it.",
      "c",
    ],
    [
      "a cluster that is not there",
      { ...fixed, clusters: [] },
      `Context 'a' ${has} is for cluster 'a', which is not there (it has none).\n${wayOut}`,
    ],
    [
      "a user who is not there",
      { ...fixed, users: null },
      `Context 'a' ${has} is for user 'a', who is not there (it has none).\n${wayOut}`,
    ],
    [
      "a server without a URL",
      kubeconfig("a", { server: "a:6443" }),
      `Cluster 'a' ${has} has no server with a URL such as https://host:6443 (it has "a:6443").\n${wayOut}`,
    ],
  ];
  for (const [what, content, message, context] of rows) {
    it(`guesses no cluster for a run with ${what}`, () => {
      const KUBECONFIG = content === undefined ? inFolder("missing") : file("wrong", content);
      const env = { KUBECONFIG, KUBERNETES_SERVICE_HOST: "10.0.0.1" };
      refused(env, message.replace("PATH", KUBECONFIG), context);
    });
  }

  it("refuses a kubeconfig that can't be read", () => {
    const KUBECONFIG = file("broken", "- just\n- a list\n");
    refused(
      { KUBECONFIG },
      `Can't read the kubeconfig ${KUBECONFIG}: its content is no map of settings\n` +
        "Correct it, or point KUBECONFIG at a kubeconfig of the cluster, then run again.",
    );
    assert.throws(() => find({ KUBECONFIG: folder.path }), /^Error: Can't read the kubeconfig .*: EISDIR/);
  });
});
