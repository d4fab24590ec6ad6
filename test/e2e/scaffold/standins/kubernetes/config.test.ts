import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, type Props } from "../../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../../naming/pulumiMarks.ts";
import { kubeconfigText, unreachableKubeconfig } from "./support/kubeconfigs.ts";
import { configMap } from "./support/objects.ts";
import { failureOf, Plugin } from "./support/plugin.ts";
import { urn, useStage } from "./support/stage.ts";

const type = urn("core/v1:ConfigMap", "page");

describe("the stand-in is configured", () => {
  const stage = useStage("config");
  let folder: string;
  const plugins: Plugin[] = [];
  /** A process of its own only for an environment of its own. */
  const start = async (env: Record<string, string>, variables: Record<string, string> = {}): Promise<Plugin> => {
    const plugin = Object.keys(env).length > 0 ? await Plugin.start(env) : stage().spare;
    if (plugin !== stage().spare) plugins.push(plugin);
    await plugin.configure(variables);
    return plugin;
  };
  /** The namespace that an object without one gets, which tells which kubeconfig was used. */
  const namespaceWith = async (plugin: Plugin): Promise<unknown> => {
    const homeless: Props = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "page" } };
    return at(await plugin.check(type, homeless), "metadata", "namespace");
  };
  const marked = (namespace: string): string => kubeconfigText("https://127.0.0.1:1", undefined, "none", namespace);
  const reaches = async (plugin: Plugin): Promise<boolean> =>
    (await plugin.read(urn("core/v1:Namespace", "default"), "default")).id === "default";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "standin-"));
  });
  after(async () => {
    await Promise.all(plugins.map((plugin) => plugin.stop()));
    await rm(folder, { recursive: true });
  });

  it("with the path of a kubeconfig", async () => {
    ok(await reaches(await start({}, { kubeconfig: stage().kubeconfig })));
  });

  it("with the contents of a kubeconfig", async () => {
    const text = await readFile(stage().kubeconfig, "utf8");
    ok(await reaches(await start({}, { kubeconfig: text })));
  });

  it("with the kubeconfig of the environment", async () => {
    ok(await reaches(await start({ KUBECONFIG: stage().kubeconfig })));
  });

  it("with the kubeconfig at home", async () => {
    await mkdir(join(folder, ".kube"));
    await writeFile(join(folder, ".kube", "config"), marked("from-home"));
    equal(await namespaceWith(await start({ HOME: folder })), "from-home");
  });

  it("with a context, whose namespace counts, unless the provider names one", async () => {
    const contexts = JSON.parse(marked("first"));
    contexts.contexts.push({ name: "other", context: { cluster: "cluster", user: "user", namespace: "second" } });
    const kubeconfig = JSON.stringify(contexts);
    equal(await namespaceWith(await start({}, { kubeconfig })), "first");
    equal(await namespaceWith(await start({}, { kubeconfig, context: "other" })), "second");
    equal(await namespaceWith(await start({}, { kubeconfig, context: "other", namespace: "third" })), "third");
  });

  it("with a kubeconfig that can't be used: it names the reason when the cluster is needed", async () => {
    const plugin = await start({}, { kubeconfig: stage().kubeconfig, context: "absent" });
    const failure = await failureOf(plugin.create(type, configMap("any", "page")));
    match(failure.message, /^configured Kubernetes cluster is unreachable: .*context "absent" does not exist/);
  });

  it("and refuses what it does not do, where the official plugin would do something else", async () => {
    const plugin = await start({}, { kubeconfig: unreachableKubeconfig });
    const { failures } = await plugin.checkConfig({ renderYamlToDirectory: "out" });
    match(failures.join(), /renderYamlToDirectory is not supported by the sandbox's stand-in/);
    const failure = await failureOf(plugin.invoke("kubernetes:yaml:decode"));
    match(failure.message, /kubernetes:yaml:decode is not supported by the sandbox's stand-in/);
  });
});

describe("the stand-in compares provider settings", () => {
  const stage = useStage("settings");

  const here = kubeconfigText("https://here:6443", undefined, "a");
  const hereToo = kubeconfigText("https://here:6443", undefined, "another token");
  const there = kubeconfigText("https://there:6443", undefined, "a");
  const cases: [title: string, olds: Props, news: Props, diffs: string[], replaces: string[]][] = [
    ["equal ones", { kubeconfig: here }, { kubeconfig: here }, [], []],
    ["another token for the same cluster", { kubeconfig: here }, { kubeconfig: hereToo }, ["kubeconfig"], []],
    ["another cluster", { kubeconfig: here }, { kubeconfig: there }, ["kubeconfig"], ["kubeconfig"]],
    ["another cluster, perhaps", { kubeconfig: here }, { kubeconfig: unknown }, ["kubeconfig"], ["kubeconfig"]],
    [
      "another cluster's kubeconfig under the same clusterIdentifier",
      { kubeconfig: here, clusterIdentifier: "a" },
      { kubeconfig: there, clusterIdentifier: "a" },
      ["kubeconfig"],
      [],
    ],
    [
      "another clusterIdentifier with the same kubeconfig",
      { kubeconfig: here, clusterIdentifier: "a" },
      { kubeconfig: here, clusterIdentifier: "b" },
      ["clusterIdentifier"],
      ["clusterIdentifier"],
    ],
    ["a clusterIdentifier that is new", {}, { clusterIdentifier: "a" }, ["clusterIdentifier"], []],
    ["a clusterIdentifier that is gone", { clusterIdentifier: "a" }, {}, ["clusterIdentifier"], []],
    ["another setting", { enableSecretMutable: "true" }, {}, ["enableSecretMutable"], []],
  ];
  for (const [title, olds, news, diffs, replaces] of cases) {
    it(`${title}: ${replaces.length > 0 ? "replaces everything" : diffs.length > 0 ? "updates" : "is no change"}`, async () => {
      const changes = diffs.length > 0 ? "SOME" : "NONE";
      deepEqual(await stage().plugin.diffConfig(olds, news), { changes, diffs, replaces });
    });
  }

  it("and passes them through its check", async () => {
    const news = { kubeconfig: here, clusterIdentifier: "a" };
    deepEqual(await stage().plugin.checkConfig(news), { inputs: news, failures: [] });
  });
});
