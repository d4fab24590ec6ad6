import assert from "node:assert/strict";
import { managersOf } from "../../../../../cluster/read/managers.ts";
import { relinquish } from "../../../../../cluster/write/relinquish.ts";
import { objectsIn } from "../../../../../plan/decisions/unread/lastState.ts";
import { formerlyManaged, formerManagers } from "../../../../../plan/membership/adoption/formerManagers.ts";
import { json, useApiServer } from "../../../cluster/fakeApiServer.ts";
import { cluster } from "../../../cluster/leaving.ts";
import { bob, settings } from "../../../samples.ts";
import { planOf, textOf } from "../../planned.ts";

const label = { "f:metadata": { "f:labels": { "f:kubecamp.dev/stack": {} } } };
const applied = (manager: string, fieldsV1: object = label, operation = "Apply") => ({ manager, operation, fieldsV1 });
const object = (name: string, ...managedFields: object[]) => ({
  metadata: { name, uid: `uid-${name}`, managedFields },
});
const none = Object.fromEntries(["Service", "Namespace", "LimitRange"].map((kind) => [kind, []]));
const found = (namespaces: object[]) => managersOf({ ...none, Namespace: namespaces } as never);

describe("what several runs have applied", () => {
  it("knows what several runs applied by field managers that say whose stack's it is", () => {
    const all = found([
      object("bob", applied("pulumi-kubernetes-1"), applied("kubectl"), applied("pulumi-kubernetes-2")),
      object("eve", applied("pulumi-kubernetes-1"), applied("pulumi-kubernetes-2", { "f:metadata": {} })),
      object("gus", applied("pulumi-kubernetes-1"), applied("pulumi-kubernetes-2", label, "Update")),
      object("hal", applied("pulumi-kubernetes-1")),
      { metadata: { name: "ida" } },
    ]);
    const fields = ["pulumi-kubernetes-1", "pulumi-kubernetes-2"].map((manager) => [manager, label] as const);
    const bobs = { uid: "uid-bob", managers: new Map(fields) };
    assert.deepEqual([...all], [["Namespace bob", bobs]]);
  });

  const more = { "f:metadata": { "f:labels": { ...label["f:metadata"]["f:labels"], "f:kubecamp.dev/protected": {} } } };
  const appliedBy = (fields: Readonly<Record<string, object>>) => new Map(Object.entries(fields));
  const former = (manager: string | undefined, one: object = more) =>
    formerlyManaged(
      planOf(
        [bob],
        settings,
        cluster({
          managers: new Map([["Namespace bob", { uid: "1", managers: appliedBy({ one, two: label, three: label }) }]]),
        }),
      ),
      new Map(manager === undefined ? [] : [["Namespace bob", manager]]),
    );

  it("takes former managers off but for the one whose fields Pulumi's state knows", () => {
    const bobs = { kind: "Namespace", name: "bob", namespace: undefined, uid: "1" };
    assert.deepEqual(former("two"), [{ ...bobs, managers: ["one", "three"], takesOff: true }]);
    assert.match(textOf(formerManagers(former("two"))) ?? "", /^Objects of earlier runs .*\n.*\n {2}Namespace bob$/);
  });

  it("leaves former managers as long as the state knows none, as in a takeover", () => {
    assert.deepEqual(former(undefined), []);
    assert.deepEqual(former("four"), []);
    assert.equal(textOf(formerManagers([])), undefined);
  });

  it("knows former managers' objects by their place, from what the plugin has kept", () => {
    const kept = (kind: string, metadata: object, rest: object = {}) => ({
      urn: "",
      outputs: { kind, metadata, __fieldManager: "pulumi-kubernetes-1" },
      ...rest,
    });
    const resources = [
      kept("Namespace", { name: "bob" }),
      kept("Ingress", { name: "bob", namespace: "ingress-nginx" }),
      kept("Namespace", { name: "eve" }, { delete: true }),
      { urn: "", outputs: { kind: "Role", metadata: { name: "x" } } },
      { urn: "" },
    ];
    assert.deepEqual(
      [...objectsIn(resources)],
      [
        ["Namespace bob", "pulumi-kubernetes-1"],
        ["Ingress ingress-nginx/bob", "pulumi-kubernetes-1"],
        ["Role x", undefined],
      ],
    );
  });

  describe("on the API server", () => {
    const server = useApiServer();
    const bobs = {
      kind: "Ingress",
      name: "bob",
      namespace: "edge",
      uid: "1",
      managers: ["pulumi-kubernetes-1"],
    } as const;

    it("gives former managers up by applying nothing to the very object", async () => {
      server.answers("bob", json({}));
      assert.deepEqual(await relinquish([bobs], settings), []);
      const metadata = { name: "bob", namespace: "edge", uid: "1" };
      assert.deepEqual(server.writes, [
        {
          method: "PATCH",
          url: "/apis/networking.k8s.io/v1/namespaces/edge/ingresses/bob?fieldManager=pulumi-kubernetes-1",
          contentType: "application/apply-patch+yaml",
          body: JSON.stringify({ apiVersion: "networking.k8s.io/v1", kind: "Ingress", metadata }),
          token: undefined,
        },
      ]);
    });
  });
});
