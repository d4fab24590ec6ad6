import { deepEqual, equal, match } from "node:assert/strict";
import { at, type Props, secret } from "../../../../../buckets/protocol/values.ts";
import { unknown } from "../../../../../naming/pulumiMarks.ts";
import { configMap, quota } from "./support/objects.ts";
import { failureOf } from "./support/plugin.ts";
import { urn, useStage } from "./support/stage.ts";

describe("the stand-in checks inputs", () => {
  const stage = useStage("check");
  const type = urn("core/v1:ConfigMap", "page");

  it("and returns them as they are when nothing is missing", async () => {
    const inputs = configMap("any", "page");
    deepEqual(await stage().plugin.check(type, inputs), inputs);
  });

  it("and wants a name, which the official plugin would make up", async () => {
    const unnamed: Props = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "any" } };
    match((await failureOf(stage().plugin.check(type, unnamed))).message, /`.metadata.name` has to be set/);
  });

  it("and fills in the namespace, of namespaced kinds alone", async () => {
    const { plugin } = stage();
    const homeless = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "page" } };
    equal(at(await plugin.check(type, homeless), "metadata", "namespace"), "default");
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "r" },
      rules: [],
    };
    deepEqual(await plugin.check(urn("rbac.authorization.k8s.io/v1:ClusterRole", "r"), role), role);
  });

  it("and turns stringData into data, which stays secret", async () => {
    const base = { apiVersion: "v1", kind: "Secret", metadata: { namespace: "any", name: "s" } };
    const given = { ...base, stringData: { key: secret("s3cr3t") } };
    const checked = await stage().plugin.check(urn("core/v1:Secret", "s"), given);
    deepEqual(checked, { ...base, data: secret({ key: "czNjcjN0" }) });
  });

  for (const [given, canonical] of Object.entries({
    "1000m": "1",
    "0.5": "500m",
    "1024Mi": "1Gi",
    "1000Mi": "1000Mi",
    "500Mi": "500Mi",
    "1000000": "1M",
    "0.5Gi": "512Mi",
    "1e3": "1e3",
    "100k": "100k",
    0: "0",
  })) {
    it(`and writes the quantity ${given} as the API server will: ${canonical}`, async () => {
      const { plugin, namespace, hand } = stage();
      const name = `q-${given.toLowerCase().replaceAll(".", "-")}`;
      const inputs = quota(namespace, name, { "requests.memory": given });
      const checked = await plugin.check(urn("core/v1:ResourceQuota", name), inputs);
      equal(at(checked, "spec", "hard", "requests.memory"), canonical);
      await hand.create(inputs);
      const live = await hand.find("v1", "ResourceQuota", `${namespace}/${name}`);
      equal(at(live, "spec", "hard", "requests.memory"), canonical);
    });
  }

  it("and leaves unknown values unknown", async () => {
    const inputs = configMap(unknown, "page", { a: unknown });
    deepEqual(await stage().plugin.check(type, inputs), inputs);
  });

  it("and leaves secrets secret", async () => {
    const inputs = configMap("any", "page", { a: secret("hidden"), b: "open" });
    deepEqual(await stage().plugin.check(type, inputs), inputs);
  });
});
