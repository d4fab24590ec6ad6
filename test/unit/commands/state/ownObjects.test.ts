import assert from "node:assert/strict";
import { type ApiObject, logicalName, objectTitle } from "../../../../cluster/kinds/liveObject.ts";
import { ownObjects } from "../../../../commands/state/ownObjects.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import { backendCaName, backendCaSecretName, backendTlsPolicyName } from "../../../../naming/names.ts";
import { namespace } from "../../../../plan/objects/namespace.ts";
import { everyObject, sharedObjects } from "../../everyObject.ts";
import { alice, bob, labelsOf, member, settings } from "../../samples.ts";
import { applied } from "./live.ts";

const all = [...everyObject(bob, settings), ...sharedObjects(settings)].map((object) => applied(object));
const withMetadata = (live: ApiObject, metadata: object): ApiObject => ({
  ...live,
  metadata: { ...live.metadata, ...metadata },
});
/** All of them, changed where something is of a kind. */
const changed = (kind: string, metadata: object) =>
  all.map((live) => (live.kind === kind ? withMetadata(live, metadata) : live));
const names = (objects: readonly ApiObject[]) => ownObjects(objects, settings).named.map(logicalName).sort();
const leftOut = (objects: readonly ApiObject[]) =>
  ownObjects(objects, settings).leftOut.map(({ live, why }) => `${objectTitle(live)} ${why}`);
const service = (namespace: string, member: string, spec: object, name = `${member}-svc`, annotations = {}) =>
  applied({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels: labelsOf(member), annotations },
    ...{ spec },
  });
const home = (member: Member) => applied({ apiVersion: "v1", kind: "Namespace", ...namespace(member, settings) });
const applied_ = { "kubecamp.dev/applied": "0123456789abcdef" };

describe("a stack's own objects", () => {
  it("are those with its labels and the names that runs give, a leaver's too", () => {
    assert.equal(names(all).length, all.length);
    assert.deepEqual(leftOut(all), []);
    assert.ok(names(all).includes("bob/others/view") && names(all).includes("access/admission/pods/binding"));
  });

  it("are none of another stack's, and none of nobody's", () => {
    const theirs = all.map((live) => withMetadata(live, { labels: { "kubecamp.dev/stack": "prod" } }));
    const nobodys = all.map((live) => withMetadata(live, { labels: {} }));
    assert.deepEqual([names(theirs), leftOut(theirs), names(nobodys), leftOut(nobodys)], [[], [], [], []]);
  });

  it("are also what has lost its labels, where a run's annotation is on it, or guard rails are in it", () => {
    for (const kind of ["RoleBinding", "ClusterRoleBinding", "Ingress", "ClusterRole", "ValidatingAdmissionPolicy"]) {
      assert.deepEqual(names(changed(kind, { labels: {}, annotations: applied_ })), names(all), kind);
    }
    assert.deepEqual(names(changed("Namespace", { labels: {} })), names(all));
    const others = names(changed("Namespace", { labels: { "kubecamp.dev/stack": "prod" } }));
    assert.deepEqual([...others, "bob/namespace"].sort(), names(all));
  });

  it("are not what is being deleted, nor what is in a namespace that is", () => {
    const ending = changed("Namespace", { deletionTimestamp: "2026-06-15T08:00:00Z" });
    const theirs = names(ending).filter((name) => name.startsWith("bob/"));
    assert.deepEqual(theirs, ["bob/others/view", "bob/route/ingress", "bob/route/service"]);
    const told = "RoleBinding bob/kubecamp-edit is being deleted already";
    assert.ok(leftOut(ending).includes(told));
    assert.deepEqual(leftOut(changed("RoleBinding", { deletionTimestamp: "2026-06-15T08:00:00Z" })), [told]);
  });

  it("are no Services of members, whatever labels these have, but the one that kubecamp made", () => {
    const forged = [
      service("bob", "bob", { type: "ClusterIP" }),
      service("bob", "alice", { type: "ExternalName" }),
      service("bob", "bob", { type: "ClusterIP" }, "another"),
    ];
    assert.deepEqual([names([...all, ...forged]), leftOut([...all, ...forged])], [names(all), []]);
    const made = service("bob", "bob", { type: "ClusterIP" }, "bob-svc", { "kubecamp.dev/made": "2026-06-15" });
    const elsewhere = withMetadata(home(bob), { labels: { ...labelsOf("bob"), "kubecamp.dev/stack": "prod" } });
    assert.deepEqual(names([elsewhere, made]), []);
    const annotations = { ...made.metadata.annotations, ...applied_ };
    assert.deepEqual(names([home(bob), withMetadata(made, { labels: {}, annotations })]), [
      "bob/namespace",
      "bob/service",
    ]);
    assert.deepEqual(names([...all, made]), [...names(all), "bob/service"].sort());
  });

  it("are nothing that members make at home in the name of others, of all, or of a route that has none", () => {
    const labels = { "kubecamp.dev/stack": "dev", "app.kubernetes.io/managed-by": "kubecamp" };
    const forged = (kind: string, name: string, more: object) =>
      applied({ apiVersion: "v1", kind, metadata: { name, namespace: "bob", ...more } });
    const homes = [home(bob), home(alice)];
    for (const more of [{ labels }, { labels: labelsOf("bob") }, { annotations: applied_ }]) {
      const secret = forged("Secret", backendCaSecretName(settings), more);
      const path = { ...forged("Service", `${alice.name}-svc`, more), spec: { type: "ExternalName" } };
      const ca = forged("ConfigMap", backendCaName, more);
      assert.deepEqual(names([...homes, secret, path, ca]), [`${alice.name}/namespace`, "bob/namespace"]);
    }
  });

  it("are a member's ConfigMap where the route has what goes by it, which no member can make", () => {
    const ca = {
      ...applied({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: backendCaName, namespace: "bob" } }),
    };
    const labelled = withMetadata(ca, { labels: labelsOf("bob") });
    const policy = applied({
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "BackendTLSPolicy",
      metadata: { name: backendTlsPolicyName(bob), namespace: "bob", labels: labelsOf("bob") },
    });
    assert.deepEqual(names([home(bob), labelled, policy]), [
      "bob/namespace",
      "bob/route/backend-ca",
      "bob/route/backend-tls",
    ]);
    assert.deepEqual(names([home(bob), labelled]), ["bob/namespace"]);
    const others = withMetadata(policy, { labels: { "kubecamp.dev/stack": "prod" } });
    assert.deepEqual(names([home(bob), labelled, others]), ["bob/namespace"]);
  });

  it("are told of where nobody knows what they are, or two stand for the same", () => {
    const strange = service("default", "bob", { type: "ClusterIP" });
    assert.deepEqual(leftOut([...all, strange]), [
      "Service default/bob-svc has the stack's labels, but no name of kubecamp's",
    ]);
    const former = service("traefik", "bob", { type: "ExternalName" });
    assert.deepEqual(leftOut([former, ...all]), [
      "Service traefik/bob-svc is a duplicate; delete it if nobody needs it",
    ]);
  });

  it("are a starter app where the member's role says that there was one, and no copies with its labels", () => {
    const lee = member({ member: "lee", type: "user", starter: "once" });
    const theirs = [...everyObject(lee, settings), ...sharedObjects(settings)].map((object) => applied(object));
    const starter = (objects: readonly ApiObject[]) => names(objects).filter((name) => name.includes("/starter/"));
    assert.deepEqual(starter(theirs), ["lee/starter/deployment", "lee/starter/pages"]);
    const unmarked = theirs.map((live) => (live.kind === "Role" ? withMetadata(live, { annotations: {} }) : live));
    assert.deepEqual([starter(unmarked), leftOut(unmarked)], [[], []]);
    const renamed = theirs.map((live) => (live.kind === "Deployment" ? withMetadata(live, { name: "web" }) : live));
    assert.deepEqual([starter(renamed), leftOut(renamed)], [["lee/starter/pages"], []]);
  });
});
