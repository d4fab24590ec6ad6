import assert from "node:assert/strict";
import { clusterProvider } from "../../../../components/provider/provider.ts";
import { configuration, settings } from "../../samples.ts";
import { registeredBy } from "../recorded.ts";

const inputs = async (given = settings) => {
  const [provider] = await registeredBy(() => clusterProvider(given));
  return provider?.inputs;
};

const expected = {
  clusterIdentifier: "kubecamp",
  kubeClientSettings: JSON.stringify({ qps: 200, burst: 400, timeout: 60 }),
  enableServerSideApply: "true",
  upsertExistingObjects: "true",
  enablePatchForce: "true",
  enableConfigMapMutable: "true",
  enableSecretMutable: "true",
  deleteUnreachable: "false",
  skipUpdateUnreachable: "false",
};

describe("clusterProvider", () => {
  const environment = { ...process.env };
  afterEach(() => {
    // The same object: others hold on to it.
    for (const key of Object.keys(process.env)) {
      delete process.env[key];
    }
    Object.assign(process.env, environment);
  });

  it("gives the cluster's provider equal inputs on every machine, whatever the environment", async () => {
    process.env.KUBECONFIG = "/elsewhere/kubeconfig";
    process.env.PULUMI_K8S_DELETE_UNREACHABLE = "true";
    process.env.PULUMI_K8S_SUPPRESS_DEPRECATION_WARNINGS = "true";
    process.env.PULUMI_K8S_CLIENT_QPS = "7";
    process.env.PULUMI_K8S_CLIENT_TIMEOUT = "7";
    assert.deepEqual(await inputs(), expected);
  });

  it("gives the cluster's provider the context that the stack names", async () => {
    const { settings: prod } = configuration({ members: [], cluster: { context: "prod" } });
    assert.deepEqual(await inputs(prod), { ...expected, context: "prod" });
  });
});
