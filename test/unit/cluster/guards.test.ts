import assert from "node:assert/strict";
import { guardsOf } from "../../../cluster/guards.ts";

const none = {
  ClusterRole: [],
  ClusterRoleBinding: [],
  Ingress: [],
  LimitRange: [],
  Namespace: [],
  NetworkPolicy: [],
  ResourceQuota: [],
  Role: [],
  RoleBinding: [],
};

describe("guards", () => {
  it("are all objects of their kinds, by kind and name, as the API server has them", () => {
    const spec = { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] };
    const live = {
      metadata: { name: "isolation", namespace: "bob", resourceVersion: "7", labels: { team: "a" } },
      spec,
    };
    const annotations = { "kubecamp.dev/applied": "abc.5", other: "x" };
    const home = { metadata: { name: "bob", resourceVersion: "8", annotations } };
    assert.deepEqual(
      guardsOf({ ...none, NetworkPolicy: [live], Namespace: [{ apiVersion: "v1", kind: "Namespace", ...home }] }),
      new Map([
        [
          "NetworkPolicy bob/isolation",
          { labels: { team: "a" }, resourceVersion: "7", applied: undefined, content: { spec } },
        ],
        ["Namespace bob", { labels: {}, resourceVersion: "8", applied: "abc.5", content: {} }],
      ]),
    );
  });
});
