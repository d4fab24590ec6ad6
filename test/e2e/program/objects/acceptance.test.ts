import assert from "node:assert/strict";
import fc from "fast-check";
import { type Parsed, parseConfiguration } from "../../../../config/configuration.ts";
import { ingressControllers } from "../../../../config/route/controllers.ts";
import { wildConfigurations } from "../../../unit/config/arbitraries.ts";
import { everyObject, type KubernetesObject, sharedObjects } from "../../../unit/everyObject.ts";
import { anyStack, parsed } from "../../../unit/plan/invariants/configurations.ts";
import { clusterTimeout } from "../../support/cluster.ts";
import { type TestSandbox, testSandbox } from "../../support/sandbox.ts";

/** Namespace for namespaced objects, since a dry run makes none. */
const namespace = "acceptance";

const absent =
  /^(traefik\.io|gateway\.networking\.k8s\.io|gateway\.envoyproxy\.io|objectstorage\.k8s\.io|example\.org)\//;

describe("the API server", () => {
  let sandbox: TestSandbox;
  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
    await sandbox.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  });
  after(() => sandbox.destroy("namespace", namespace));

  /** The API server's refusals of these objects, in a dry run. */
  const refusals = async (objects: readonly KubernetesObject[]): Promise<string> => {
    const input = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects.map(placed) });
    const args = ["create", "--dry-run=server", "--validate=strict", "-o", "name", "-f", "-"];
    const { exitCode, stdout, stderr } = await sandbox.kubectl(args, { input });
    const taken = stdout.split("\n").filter((line) => line !== "").length;
    assert.ok(exitCode !== 0 || taken === objects.length, `${taken} of ${objects.length} objects were looked at`);
    // The API server validates an object before it answers that it exists, as a namespace of another suite does.
    const isRefusal = (line: string) => !line.startsWith("Error from server (AlreadyExists): ");
    return stderr.split("\n").filter(isRefusal).join("\n");
  };

  /** The refusals of all objects of the accepted configurations, and their number of members. */
  const triedOut = async (all: readonly Parsed[]) => {
    const accepted = all.flatMap((each) => ("configuration" in each ? [each.configuration] : []));
    const members = accepted.flatMap(({ settings, members }) => members.map((member) => ({ member, settings })));
    const objects = [
      ...accepted.flatMap(({ settings }) => sharedObjects(settings)),
      ...members.flatMap(({ member, settings }) => everyObject(member, settings)),
      // This cluster lacks the kinds of Traefik, Gateways, COSI and whoever allows their own.
    ].filter(({ apiVersion }) => !absent.test(apiVersion));
    // Many objects are the same: one of each is enough.
    const different = [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()];
    // kubectl slows down after its first 300 requests.
    const answers = await Promise.all(partsOf(different, 250).map(refusals));
    return { members: members.length, said: answers.join("") };
  };

  it("makes only objects that the API server takes, of any configuration that is accepted", async () => {
    const any = fc.oneof(...ingressControllers.map(anyStack), anyStack("gateway"));
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 100, maxLength: 100 }), async (all) => {
        const { members, said } = await triedOut(all.map(parsed));
        assert.ok(members > 100, `only ${members} members to try`);
        assert.equal(said, "");
      }),
      // Shrinking would repeat as many dry runs again and again, and the API server names the object anyway.
      { numRuns: 1, endOnFailure: true, reporter },
    );
  });

  it("makes only such objects with strange texts too, wherever these are accepted", async () => {
    const { members, said } = await triedOut(
      wildConfigurations().map(({ stack, raw }) => parseConfiguration(stack, raw, "2026-06-15")),
    );
    assert.ok(members > 100, `only ${members} members to try`);
    assert.equal(said, "");
  });

  it("asks the API server in earnest: it refuses what no accepted configuration makes", async () => {
    const said = await refusals([
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "Not-A-Label" } },
      { apiVersion: "v1", kind: "LimitRange", metadata: { name: "x", namespace: "bob" } },
    ]);
    assert.match(said, /Namespace "Not-A-Label" is invalid/);
  });
});

/** Leaves out the hundred configurations, and prints the seed and path that reproduce them. */
function reporter<T>({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<T>): void {
  if (failed) {
    throw new Error(`With seed ${seed} and path ${counterexamplePath}:\n${errorInstance}`, { cause: errorInstance });
  }
}

/** The object where it can be tried: its own namespace is missing, and every other has its ServiceAccount already. */
function placed(object: KubernetesObject): KubernetesObject {
  const { metadata, kind } = object;
  const name = kind === "ServiceAccount" ? `${metadata.name}-${namespace}` : metadata.name;
  return metadata.namespace === undefined ? object : { ...object, metadata: { ...metadata, name, namespace } };
}

function partsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
