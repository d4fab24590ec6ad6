import assert from "node:assert/strict";
import { execa } from "execa";
import { useStack } from "../../program/stack.ts";
import { apply } from "../../program/workloads.ts";
import { kubectlGet } from "./kubectlGet.ts";

const labels = { "example.org/for": "get" };
const [one, two] = ["one", "two"].map((name) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels, annotations: { "example.org/number": name } },
  data: { "a.b": "1", z: "x", a: "y" },
}));
const ofBoth = ["-n", "default", "-l", "example.org/for=get", "-o"];

describe("what stands in for kubectl get", () => {
  const stack = useStack("asked");
  const inProcess = (args: readonly string[]) => kubectlGet(stack.sandbox)(args);
  const kubectl = async (args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await execa("kubectl", args, { env: stack.sandbox.env, reject: false });
    return { exitCode, stdout, stderr };
  };

  before(() => apply(stack, one ?? {}, two ?? {}));
  after(() => stack.kubectl("delete", "configmap", "one", "two", "-n", "default"));

  for (const args of [
    ["configmap", "one", "-n", "default", "-o", "name"],
    ["configmap/one", "-n", "default", "-o", "jsonpath={.data}"],
    ["cm", "one", "-o", "jsonpath={.data.a\\.b} {.data['z']} {.data.none}."],
    ["configmaps", ...ofBoth, "name"],
    ["configmaps", ...ofBoth, "jsonpath={.items[*].metadata.name}"],
    ["configmaps", ...ofBoth, "jsonpath={.items[1].metadata.labels}"],
    ["configmaps", ...ofBoth, "jsonpath={.items[*].data}"],
    ["configmaps", ...ofBoth, "jsonpath={range .items[*]}{.metadata.name}: {.data.z}{'\\n'}{end}"],
    ["configmaps", ...ofBoth, 'jsonpath={range .items[*]}{.metadata.annotations.example\\.org/number}{"\\n"}{end}'],
    ["configmaps", "-n", "default", "--field-selector=metadata.name=two", "-o", "name"],
    ["configmaps", "-n", "nowhere", "-o", "jsonpath={.items[*].metadata.name}"],
    ["configmap", "none", "-n", "default", "--ignore-not-found", "-o", "jsonpath={.metadata.name}"],
    ["configmap", "none", "-n", "default", "-o", "name"],
    ["ingress", "none", "-n", "default", "-o", "name"],
    ["namespace", "nowhere", "-o", "jsonpath={.metadata.uid}"],
    ["clusterroles", "-l", "kubernetes.io/bootstrapping=rbac-defaults", "-o", "name"],
    ["deploy", "--all-namespaces", "-o", "jsonpath={.items[*].spec.replicas}"],
    ["storageclass", "-A", "-o", "jsonpath={.items[*].allowVolumeExpansion}"],
  ]) {
    it(`prints what it prints: ${args.join(" ")}`, async () => {
      assert.deepEqual(await inProcess(["get", ...args]), await kubectl(["get", ...args]));
    });
  }

  for (const args of [
    ["configmap", "one", "-n", "default", "-o", "json"],
    ["configmaps", ...ofBoth, "json"],
  ]) {
    it(`gives the same objects: ${args.join(" ")}`, async () => {
      const here = await inProcess(["get", ...args]);
      assert.deepEqual(JSON.parse(here?.stdout ?? ""), JSON.parse((await kubectl(["get", ...args])).stdout));
    });
  }

  for (const args of [
    ["get", "configmap,secret", "-n", "default", "-o", "name"],
    ["get", "configmap", "one", "two", "-o", "name"],
    ["get", "configmaps", "-n", "default"],
    ["get", "configmaps", "-o", "yaml"],
    ["get", "configmaps", "-o", "jsonpath={..metadata.name}"],
    // kubectl finds nothing there: the dot parts the name, quoted or not.
    ["get", "configmap", "one", "-o", "jsonpath={.data['a.b']}"],
    ["get", "configmap", "one", "-o", "jsonpath={.data.'a\\.b'}"],
    ["get", "configmaps", "-o", "jsonpath={.items[?(@.data.a)].metadata.name}"],
    ["get", "configmaps", "-o", "name", "--as", "oidc:ann"],
    ["get", "--raw", "/api/v1/namespaces"],
    ["get", "nothings", "-o", "name"],
    ["delete", "configmap", "none"],
  ]) {
    it(`leaves to it: ${args.join(" ")}`, async () => {
      assert.equal(await inProcess(args), undefined);
    });
  }
});
