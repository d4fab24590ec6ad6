import assert from "node:assert/strict";
import type { Waiting } from "../../../../cluster/api/requests.ts";
import { type Restless, stopPods } from "../../../../cluster/write/pods.ts";
import { leftRunning, stoppedPods } from "../../../../plan/findings/closing.ts";
import { restlessMembers } from "../../../../plan/members/restless.ts";
import { textOf } from "../../plan/planned.ts";
import { member, settings } from "../../samples.ts";
import { json, useApiServer } from "../fakeApiServer.ts";

const bob = { member: "bob", namespace: "bob", pods: 2 };
const eve = { member: "eve", namespace: "eve", pods: 1 };
const quota = (namespace: string, hard: object, status: object = { hard }, name = "quota") => ({
  metadata: { name, namespace },
  spec: { hard },
  status,
});
const zero = { pods: "0" };
const quotas = (...items: object[]) => json({ kind: "ResourceQuotaList", items });
const fine = json({ kind: "Status", status: "Success" });

describe("pods of suspended members", () => {
  it("stops the pods of suspended and expired members where these live, and nobody else's", () => {
    const of = (name: string, more: object = {}) => member({ member: name, type: "user", ...more });
    const counts = Object.entries({ bob: 2, carol: 2, dave: 0, eve: 1, left: 2 });
    const namespaceContents = new Map(counts.map(([namespace, pods]) => [namespace, { pods, claims: [] }]));
    const suspended = ["bob", "dave", "fay"].map((name) => of(name, { suspended: true }));
    const members = [...suspended, of("carol"), of("eve", { expires: "2026-06-14" })];
    assert.deepEqual(restlessMembers(members, { namespaceContents }), [bob, eve]);
  });

  it("warns once of all pods of suspended members that are to be stopped", () => {
    const text = textOf(stoppedPods([bob, eve]));
    assert.equal(text, "Suspended, expired or asleep; 'pulumi up' stops their pods: bob (2 pods), eve (1 pod)");
    assert.equal(textOf(stoppedPods([])), undefined);
    assert.match(textOf(leftRunning([bob])) ?? "", /did not change their quotas: bob \(2 pods\)\.\n/);
  });

  describe("are stopped", () => {
    const server = useApiServer();

    const pauses: number[] = [];
    const stop = (restless: readonly Restless[], waiting: Partial<Waiting> = {}) => {
      pauses.length = 0;
      return stopPods(restless, settings, { pause: async (milliseconds) => pauses.push(milliseconds), ...waiting });
    };
    const stopped = () => server.writes.map(({ url }) => url?.split("?")[0]).sort();

    it("stops a namespace's pods in one request, not finished ones, and within half a minute", async () => {
      server.answers("resourcequotas", quotas(quota("bob", zero), quota("eve", { ...zero, "limits.cpu": "1" })));
      server.answers("pods", fine, fine);
      assert.deepEqual(await stop([bob, eve]), []);
      assert.deepEqual(stopped(), ["/api/v1/namespaces/bob/pods", "/api/v1/namespaces/eve/pods"]);
      const [{ method, url, body } = assert.fail()] = server.writes;
      assert.deepEqual(
        [method, url?.split("?")[1]],
        ["DELETE", "fieldSelector=status.phase!%3DSucceeded,status.phase!%3DFailed"],
      );
      assert.deepEqual(JSON.parse(body), { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 30 });
    });

    it("stops pods when the quota is in force, and not when that is only written", async () => {
      const written = quota("bob", zero, { hard: { "limits.cpu": "1" } });
      const answers = [written, { ...written, status: undefined }, quota("bob", zero)].map((item) => quotas(item));
      server.answers("resourcequotas", ...answers);
      server.answers("pods", fine);
      assert.deepEqual(await stop([bob]), []);
      assert.deepEqual(pauses, [500, 500]);
      assert.deepEqual(server.asked, ["resourcequotas", "resourcequotas", "resourcequotas", "pods"]);
    });

    const others: Record<string, object[]> = {
      "there is no quota": [],
      "the quota holds no pods": [quota("bob", { "limits.cpu": "1" })],
      "the quota lets some run": [quota("bob", { pods: "3" })],
      "the quota is another's": [quota("eve", zero)],
      "the quota has another name": [quota("bob", zero, { hard: zero }, "own")],
      "only an old status holds pods": [quota("bob", {}, { hard: zero })],
    };
    for (const [what, items] of Object.entries(others)) {
      it(`stops no pods that no quota of zero holds: ${what}`, async () => {
        server.answers("resourcequotas", quotas(...items));
        assert.deepEqual(await stop([bob]), [bob]);
        assert.deepEqual(server.writes, []);
      });
    }

    it("leaves a member without pods out of those whose pods are left alone", async () => {
      server.answers("resourcequotas", quotas());
      assert.deepEqual(await stop([{ ...bob, pods: 0 }, eve]), [eve]);
    });

    it("stops pods though others' can't be, and tells whose these are, why, and what that means", async () => {
      server.answers("resourcequotas", quotas(quota("bob", zero), quota("eve", zero)));
      const denied = json({ message: "pods is forbidden" }, 403);
      server.answers("pods", denied, fine);
      await assert.rejects(stop([bob, eve]), ({ message }: Error) => {
        const [first = "", ...others] = message.split("\n");
        assert.match(first, /^Can't stop the pods of member '(bob|eve)' on the API server .*: 403 pods is forbidden$/);
        assert.deepEqual(others, [
          "Give the identity in the kubeconfig the right to do that, then run again.",
          "Until this is done, their routes stay open.",
        ]);
        return true;
      });
      assert.equal(server.writes.length, 2);
    });

    it("stops no pods of members whose quota never comes into force, and tells so", async () => {
      const late = quotas(quota("bob", zero, {}), quota("eve", zero));
      server.answers("resourcequotas", ...Array.from({ length: 60 }, () => late));
      server.answers("pods", fine);
      await assert.rejects(stop([bob, eve]), {
        message:
          "Can't stop the pods of member 'bob': ResourceQuota bob/quota is not in force.\n" +
          "See that the cluster's kube-controller-manager works, then run again.\n" +
          "Until this is done, their routes stay open.",
      });
      assert.deepEqual(stopped(), ["/api/v1/namespaces/eve/pods"]);
    });
  });
});
