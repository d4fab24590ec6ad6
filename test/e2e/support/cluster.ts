import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { authenticationConfiguration } from "../../../commands/cluster/authenticationConfiguration.ts";
import { ciOf } from "../../../config/member/ci.ts";
import { settingsOf } from "../../../config/settings.ts";
import { environmentOf } from "../../../sandbox/environment.ts";
import { defaultKubernetes, type KubernetesMinor, kubernetesMinors } from "../../../sandbox/kubernetes.ts";
import type { PluginChoice } from "../../../sandbox/plugins/pluginChoice.ts";
import { startSandbox } from "../../../sandbox/prepare.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import { type ToolPaths, toolsOf } from "../../../sandbox/tools/catalogue.ts";
import { buildingTitle } from "../../../sandbox/tools/firstBuild.ts";
import { takeInventory } from "../../../sandbox/tools/inventory.ts";
import { completeTools } from "../../../sandbox/tools/toolchain.ts";
import { silent } from "../../../sandbox/tools/toolEvents.ts";
import { atEnd } from "./atEnd.ts";
import { endNamespaces } from "./cluster/endingNamespaces.ts";
import { relayStandIns } from "./engine/pluginRelay.ts";
import { ciAudience, emailIssuer, githubDiscovery, gitlabIssuer, type Issuer, startIssuer } from "./signIn/issuer.ts";
import { startVault } from "./signIn/vault.ts";
import { removeLeftovers, testSandboxNamed } from "./testSandboxes.ts";

export interface TestCluster {
  readonly sandbox: Sandbox;
  readonly tools: ToolPaths;
  readonly plugins: PluginChoice;
  readonly kubeconfig: string;
  readonly env: Record<string, string>;
  /** The API server takes this issuer's tokens, with a stack's default prefixes. */
  readonly issuer: Issuer;
  /** Gives a project, of which it gets the folder, the plugin for buckets in this process. */
  readonly relayBuckets: (folder: string) => Promise<void>;
}

/** For `this.timeout(…)` of the hook that calls `testCluster`: on a fresh machine the tools are built first. */
export const clusterTimeout: number = 30 * 60_000;

/**
 * For all that is written in Go: kubectl and pulumi end so soon that to collect less garbage saves a quarter of their work;
 * of the cluster's it saves a sixth.
 */
const lessGarbageCollection = { GOGC: "400" };

const asked = process.env.KUBECAMP_TEST_KUBERNETES || defaultKubernetes;

/** Version of Kubernetes that the tests run on, by `KUBECAMP_TEST_KUBERNETES`. */
export const testKubernetes: KubernetesMinor =
  kubernetesMinors.find((minor) => minor === asked) ??
  assert.fail(`KUBECAMP_TEST_KUBERNETES is '${asked}', not one of ${kubernetesMinors.join(", ")}`);

const interrupted = new AbortController();
let cluster: Promise<TestCluster> | undefined;

/** The one cluster of this mocha process, or worker of it; made at the first call, empty, and removed at the end of the run. */
export function testCluster(): Promise<TestCluster> {
  cluster ??= startTestCluster();
  return cluster;
}

// A build that a hook has stopped waiting for must not go on without end.
atEnd(async () => {
  interrupted.abort();
  await cluster?.catch(() => undefined);
});

async function startTestCluster(): Promise<TestCluster> {
  await removeLeftovers();
  const options = { environment: process.env, signal: interrupted.signal };
  const inventory = await takeInventory(toolsOf(testKubernetes), options);
  if (inventory.missing.length > 0) {
    console.error(`Getting ${inventory.missing.length} tools first.`);
  }
  const tools = await completeTools(inventory, options, {
    ...silent,
    onBuilding: (tools) => console.error(buildingTitle(tools)),
    onReady: (tool) => console.error(`  ${tool} is there`),
  });
  // The cluster's processes, and a further API server that a test starts, take it from this process.
  Object.assign(process.env, lessGarbageCollection);
  const sandbox = testSandboxNamed("shared");
  const issuer = await startIssuer();
  const apiserverArguments = [`authentication-config=${await authenticationFile(issuer, sandbox)}`];
  const { plugins } = await startSandbox(sandbox, tools, { ...options, apiserverArguments });
  atEnd(endNamespaces(sandbox.kubeconfig));
  const relay = await relayStandIns(sandbox, plugins);
  atEnd(relay.end);
  // Pulumi writes a log of all that it does, which is a third of its work in a small run, and nobody reads here. It does
  // without where it can't make the folder.
  await mkdir(sandbox.pulumiHome, { recursive: true });
  await writeFile(join(sandbox.pulumiHome, "logs"), "");
  const env = { ...environmentOf(sandbox, plugins), ...(await startVault()), ...lessGarbageCollection };
  const { relayBuckets } = relay;
  return { sandbox, tools, plugins, kubeconfig: sandbox.kubeconfig, env, issuer, relayBuckets };
}

/**
 * Output of `kubecamp cluster oidc` for two kinds of stack: one with the default issuer, one by email; and for CI jobs, with
 * GitHub's keys from the tests' server. YAML takes JSON.
 */
async function authenticationFile({ url, clientId, ca }: Issuer, { folder }: Sandbox): Promise<string> {
  const usual = { issuerUrl: url, clientId, ca };
  const byEmail = {
    ...usual,
    issuerUrl: url + emailIssuer,
    usernameClaim: "email",
    usernamePrefix: "",
    groupsPrefix: "",
  };
  const [content, other] = [usual, byEmail].map((issuing) =>
    authenticationConfiguration({ ...settingsOf("test", { oidc: issuing }).oidc, ...issuing }),
  );
  const jobs = authenticationConfiguration(undefined, ciOfTests({ url, ca })).jwt.map((authenticator) => {
    const { issuer } = authenticator;
    const discoveryURL = `${url}${githubDiscovery}/.well-known/openid-configuration`;
    return issuer.url.startsWith(url)
      ? authenticator
      : { ...authenticator, issuer: { ...issuer, discoveryURL, certificateAuthority: ca } };
  });
  const file = join(folder, "authentication.yaml");
  await mkdir(folder, { recursive: true });
  await writeFile(file, JSON.stringify({ ...content, jwt: [...(content?.jwt ?? []), ...(other?.jwt ?? []), ...jobs] }));
  return file;
}

/** Settings for CI jobs of GitHub and of a GitLab with the tests' own server. */
function ciOfTests({ url, ca }: Pick<Issuer, "url" | "ca">) {
  const issuerUrl = url + gitlabIssuer;
  const subjects = ["github", issuerUrl].map((issuer) => `${issuer}${issuer === "github" ? ":" : "#"}`);
  const issuers = { school: { kind: "gitlab", issuerUrl, ca } } as const;
  return ciOf({ audience: ciAudience, issuers }, [{ ci: { subjects } }], { cluster: {} });
}
