import assert from "node:assert/strict";
import { findApiTarget } from "../../../../cluster/api/kubeconfig/kubeconfig.ts";
import { readOverviewLists } from "../../../../cluster/read/overviewLists.ts";
import { json, useApiServer } from "../fakeApiServer.ts";

describe("reading the overview", () => {
  const server = useApiServer();

  it("says why there is none, and nothing of a run, since it is none", async () => {
    server.answers("pods", json({ kind: "Status", message: "pods is forbidden" }, 403));
    await assert.rejects(readOverviewLists(findApiTarget(undefined), { details: false }), ({ message }: Error) => {
      const [first, ...others] = message.split("\n");
      assert.match(first ?? "", /^Can't read the Pods from the API server http.*: 403 pods is forbidden$/);
      assert.deepEqual(others, ["Give the identity in the kubeconfig the right to list them, then run again."]);
      return true;
    });
  });

  it("looks behind Services only where a member's is headless, or paths require ready pods", async () => {
    const list = (name: string) =>
      json({ kind: "ServiceList", items: [{ metadata: { name, namespace: "bob" }, spec: { clusterIP: "None" } }] });
    const asked = () => server.asked.filter((kind) => kind === "endpointslices").length;
    server.answers("services", list("web"));
    await readOverviewLists(findApiTarget(undefined), { details: false });
    assert.equal(asked(), 0);
    server.answers("services", list("bob-svc"));
    server.answers("endpointslices", json({ kind: "EndpointSliceList", items: [] }));
    await readOverviewLists(findApiTarget(undefined), { details: false });
    assert.equal(asked(), 1);
    server.answers("services", list("web"));
    server.answers("endpointslices", json({ kind: "EndpointSliceList", items: [] }));
    const labels = { "kubecamp.dev/route": "443.endpoints" };
    server.answers("namespaces", json({ kind: "NamespaceList", items: [{ metadata: { name: "bob", labels } }] }));
    await readOverviewLists(findApiTarget(undefined), { details: false });
    assert.equal(asked(), 2);
  });

  describe("of routes at a Gateway", () => {
    const resources = json({ kind: "APIResourceList", resources: [{ name: "gateways" }, { name: "httproutes" }] });
    const asked = () => server.asked.filter((kind) => kind === "httproutes").length;

    it("takes an API server that does not know them for one that has none", async () => {
      assert.deepEqual((await readOverviewLists(findApiTarget(undefined), { details: false })).doors, []);
      server.answers("v1", json({ kind: "APIResourceList", resources: [{ name: "gateways" }] }));
      assert.deepEqual((await readOverviewLists(findApiTarget(undefined), { details: false })).doors, []);
      assert.equal(asked(), 0);
    });

    it("takes no other answer for that", async () => {
      for (const answer of [json({ message: "no" }, 403), json({}), json({ kind: "APIResourceList" })]) {
        server.answers("v1", answer);
        await assert.rejects(readOverviewLists(findApiTarget(undefined), { details: false }), {
          message: /^Can't read the resources of gateway\.networking\.k8s\.io\/v1 from the API server /,
        });
      }
      for (const [code, words] of [
        [403, "403 no"],
        [404, "it does not know the kind HTTPRoute (404)"],
      ] as const) {
        server.answers("v1", resources);
        server.answers("httproutes", json({ kind: "Status", message: "no" }, code));
        await assert.rejects(readOverviewLists(findApiTarget(undefined), { details: false }), ({ message }: Error) => {
          return message.startsWith("Can't read the HTTPRoutes from ") && message.includes(`: ${words}`);
        });
      }
    });
  });

  describe("of buckets", () => {
    const asked = (kind: string) => server.asked.filter((one) => one === kind).length;
    const bucket = { metadata: { name: "data", namespace: "bob" } };
    const knowing = (...names: string[]) =>
      json({ kind: "APIResourceList", resources: names.map((name) => ({ name })) });
    const read = async () => (await readOverviewLists(findApiTarget(undefined), { details: true })).buckets;

    it("asks for kubecamp's ConfigMaps of buckets, and for no Secret", async () => {
      let url: string | undefined;
      server.answers("configmaps", (request, response) => {
        url = request.url;
        json({ kind: "ConfigMapList", items: [bucket] })(request, response);
      });
      assert.deepEqual(await read(), { configMaps: [bucket], claims: [] });
      const { pathname, searchParams } = new URL(url ?? "", server.url);
      assert.deepEqual(
        [pathname, searchParams.get("labelSelector")],
        ["/api/v1/configmaps", "app.kubernetes.io/managed-by=kubecamp,kubecamp.dev/bucket"],
      );
      assert.deepEqual(["configmaps", "bucketclaims", "secrets"].map(asked), [1, 0, 0]);
    });

    for (const version of ["v1alpha1", "v1alpha2"]) {
      it(`asks for claims of COSI's ${version} where the API server knows them`, async () => {
        server.answers("configmaps", json({ kind: "ConfigMapList", items: [] }));
        server.answers(version, knowing("bucketclaims", "bucketaccesses"));
        server.answers("bucketclaims", json({ kind: "BucketClaimList", items: [bucket] }));
        assert.deepEqual(await read(), { configMaps: [], claims: [bucket] });
      });
    }
  });
});
