import assert from "node:assert/strict";
import type { V1Namespace, V1ResourceQuota, V1RoleBinding } from "@kubernetes/client-node";
import { historyOf } from "../history.ts";
import { declared, everything, guardsOf, inventory, type LiveObject, nameOf } from "../inventory.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { makeService } from "../workloads.ts";
import { expectedObjects } from "./expectedObjects.ts";

const ada: Entry = { member: "ada", type: "admin" };
const bea: Entry = { member: "bea", type: "user", maxCPUm: 1000, maxMemoryMiB: 1024 };
const cleo: Entry = { member: "cleo", type: "guest-user", subject: "cleo@example.org", groups: ["class-a"] };

describe("a stack's life", () => {
  const stack = useStack("life");
  let empty: string[];

  const may = async (user: string, ...args: string[]) =>
    (await stack.sandbox.kubectl(["auth", "can-i", ...args, "--as", user])).stdout;

  before(async () => {
    empty = await inventory(stack.sandbox);
  });

  it("previews a new stack without touching anything", async () => {
    await stack.configure([ada, bea, cleo]);
    const touched = await touchedBy(stack, async () => {
      const preview = await stack.preview();
      assert.equal(preview.exitCode, 0, preview.output);
    });
    assert.deepEqual(touched, []);
  });

  it("makes exactly the objects of the list's members with the first up, and no other", async () => {
    await stack.upFine();
    const home = (name: string) => [
      `ConfigMap ${name}/kube-root-ca.crt`,
      `LimitRange ${name}/default-limits`,
      `Namespace ${name}`,
      `NetworkPolicy ${name}/isolation`,
      `Role ${name}/kubecamp-edit`,
      `RoleBinding ${name}/kubecamp-edit`,
      `ServiceAccount ${name}/default`,
    ];
    const made = (await inventory(stack.sandbox)).filter((name) => !empty.includes(name));
    assert.deepEqual(
      made,
      [
        ...home("ada"),
        ...home("bea"),
        ...home("cleo"),
        ...guardsOf("life"),
        "ClusterRole kubecamp:life:view",
        "ClusterRole kubecamp:life:view-guest",
        "ClusterRoleBinding kubecamp:life:ada:view",
        "ClusterRoleBinding kubecamp:life:bea:view",
        "ClusterRoleBinding kubecamp:life:cleo:view-guest",
        "ResourceQuota bea/quota",
        "ResourceQuota cleo/quota",
      ].sort(),
    );
  });

  it("leaves nothing to do after the first up, with a refresh", async () => {
    const preview = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(preview.exitCode, 0, preview.output);
    assert.deepEqual(preview.steps, []);
  });

  it("touches with the second up only a changed limit's object, and those of a path that opens", async () => {
    await makeService(stack, "cleo");
    const touched = await touchedBy(stack, async () => {
      await stack.configure([ada, { ...bea, maxCPUm: 1500 }, cleo]);
      const { steps } = await stack.upFine();
      assert.deepEqual(steps.toSorted(), [
        "create kubernetes:core/v1:Service cleo/route/service",
        "create kubernetes:networking.k8s.io/v1:Ingress cleo/route/ingress",
        "update kubernetes:core/v1:ResourceQuota bea/quota",
      ]);
    });
    assert.deepEqual(touched, [
      "Ingress ingress-nginx/cleo",
      "ResourceQuota bea/quota",
      "Service ingress-nginx/cleo-svc",
    ]);
    const { spec } = await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", "bea");
    assert.equal(spec?.hard?.["limits.cpu"], "1500m");
  });

  it("makes each object as its builder says, to the last field", async () => {
    const mine = (await everything(stack.sandbox)).filter(({ metadata }) => {
      const { "kubecamp.dev/stack": of, "kubecamp.dev/member": member } = metadata.labels ?? {};
      return of === "life" && (member === undefined || member === "cleo");
    });
    const byName = (objects: readonly object[]) =>
      Object.fromEntries(objects.map((object) => [nameOf(object as LiveObject), object]));
    assert.deepEqual(byName(mine.map(declared)), byName(expectedObjects("life", cleo)));
  });

  it("ties objects to their namespace, and RoleBindings to all that guards", async () => {
    const nameIn = (urn: string) => urn.split("::").at(-1) ?? "";
    const ties = (await stack.resources())
      .filter(({ urn }) => nameIn(urn).startsWith("cleo/"))
      .map(({ urn, deletedWith = "", dependencies = [], propertyDependencies = {} }) => [
        nameIn(urn),
        {
          deletedWith: nameIn(deletedWith),
          after: dependencies.map(nameIn).sort(),
          namespaceFrom: (propertyDependencies.metadata ?? []).map(nameIn),
        },
      ]);
    const home = ["cleo/namespace"];
    const managedObjects = ["cleo/isolation", "cleo/limits", "cleo/quota", "cleo/service-account"];
    const inForce = guardsOf("life").flatMap((name) => {
      const [, policy] = /^\w+Binding kubecamp-(\w+)-life$/.exec(name) ?? [];
      return policy === undefined ? [] : [`access/admission/${policy}/binding`];
    });
    const child = { deletedWith: "cleo/namespace", after: home, namespaceFrom: home };
    assert.deepEqual(Object.fromEntries(ties), {
      "cleo/namespace": { deletedWith: "", after: [], namespaceFrom: [] },
      "cleo/limits": child,
      "cleo/isolation": child,
      "cleo/quota": child,
      "cleo/service-account": child,
      "cleo/role/edit": { ...child, after: [...inForce, ...managedObjects, ...home].sort() },
      "cleo/binding/edit": {
        deletedWith: "",
        after: [...home, "cleo/role/edit"],
        namespaceFrom: home,
      },
      "cleo/others/view-guest": {
        deletedWith: "",
        after: ["access/view-guest", "cleo/role/edit"],
        namespaceFrom: [],
      },
      "cleo/route/service": { deletedWith: "", after: home, namespaceFrom: [] },
      "cleo/route/ingress": { deletedWith: "", after: ["cleo/route/service"], namespaceFrom: [] },
    });
  });

  describe("when types change", () => {
    const rights = async () =>
      (await stack.sandbox.list<V1RoleBinding>("rolebinding", { namespace: "bea" })).map(
        ({ metadata }) => metadata?.uid,
      );
    const guest = "oidc:cleo@example.org";
    let rightsBefore: Awaited<ReturnType<typeof rights>>;
    let steps: readonly string[];
    let history: readonly string[];

    before(async () => {
      rightsBefore = await rights();
      assert.equal(await may(guest, "list", "pods", "--all-namespaces"), "no");
      await stack.configure([ada, { ...bea, type: "admin" }, { ...cleo, type: "user" }]);
      history = await historyOf(
        stack,
        (name) => name.includes("cleo"),
        async () => {
          steps = (await stack.upFine()).steps;
        },
      );
    });

    it("makes a new type's binding before the old one goes, and replaces nothing", async () => {
      assert.deepEqual(
        steps.filter((step) => step.includes(" cleo/")),
        [
          "update kubernetes:core/v1:Namespace cleo/namespace",
          "create kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding cleo/others/view",
          "delete kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding cleo/others/view-guest",
        ],
      );
      assert.deepEqual(history, [
        "MODIFIED Namespace cleo",
        "ADDED ClusterRoleBinding kubecamp:life:cleo:view",
        "DELETED ClusterRoleBinding kubecamp:life:cleo:view-guest",
      ]);
      assert.equal(await may(guest, "list", "pods", "--all-namespaces"), "yes");
      assert.equal(await may(guest, "create", "deployments", "-n", "cleo"), "yes");
      assert.equal(await may(guest, "get", "secrets", "-n", "bea"), "no");
    });

    it("takes the quota from a user who becomes an admin, and leaves their access alone", async () => {
      assert.deepEqual(
        steps.filter((step) => !step.includes(" cleo/")),
        [
          "update kubernetes:core/v1:Namespace bea/namespace",
          "update kubernetes:core/v1:LimitRange bea/limits",
          "delete kubernetes:core/v1:ResourceQuota bea/quota",
        ],
      );
      assert.deepEqual(await rights(), rightsBefore);
      assert.deepEqual(await stack.sandbox.names("resourcequota", { namespace: "bea" }), []);
    });
  });

  describe("when one gets other rights and another leaves", () => {
    let history: readonly string[];
    let output: string;

    before(async () => {
      await stack.configure([ada, { ...bea, type: "admin", home: "view", others: "none" }]);
      history = await historyOf(
        stack,
        (name) => name.includes("cleo") || /^kubecamp[-:]/.test(name),
        async () => {
          output = (await stack.upFine()).output;
        },
      );
    });

    it("makes the new role at home, and its binding, before the old ones go, and misses neither", async () => {
      assert.doesNotMatch(output, /Deleted by hand|Changed by hand/);
      const [first, ...gone] = history.filter((line) => line.includes("bea"));
      assert.equal(first, "ADDED RoleBinding bea/kubecamp-view");
      assert.deepEqual(gone.sort(), [
        "DELETED ClusterRoleBinding kubecamp:life:bea:view",
        "DELETED RoleBinding bea/kubecamp-edit",
      ]);
      assert.deepEqual(
        history.filter((line) => !/bea|cleo/.test(line)),
        [],
      );
      assert.equal(await may("oidc:bea", "list", "pods", "-n", "bea"), "yes");
      for (const more of [
        "get secrets",
        "create deployments",
        "create pods --subresource=exec",
        "get pods --subresource=exec",
      ]) {
        assert.equal(await may("oidc:bea", ...more.split(" "), "-n", "bea"), "no", more);
      }
      assert.equal(await may("oidc:bea", "list", "services", "-n", "ada"), "no");
      assert.deepEqual(await stack.sandbox.names("role", { namespace: "bea" }), ["kubecamp-view"]);
    });

    it("deletes a removed member's RoleBindings first, then all else, and from the state", async () => {
      const at = (line: string) => {
        assert.ok(history.includes(line), `${line} in ${history.join(", ")}`);
        return history.indexOf(line);
      };
      const leaving = at("TERMINATING Namespace cleo");
      assert.ok(at("DELETED RoleBinding cleo/kubecamp-edit") < leaving);
      assert.ok(at("DELETED ClusterRoleBinding kubecamp:life:cleo:view") < leaving);
      assert.ok(at("DELETED Ingress ingress-nginx/cleo") < at("DELETED Service ingress-nginx/cleo-svc"));
      assert.ok(at("DELETED Service ingress-nginx/cleo-svc") < leaving);
      assert.deepEqual(
        (await inventory(stack.sandbox)).filter((name) => name.includes("cleo")),
        [],
      );
      assert.deepEqual(
        (await stack.urns()).filter((urn) => urn.includes("cleo")),
        [],
      );
    });
  });

  describe("with labels on the cluster", () => {
    it("puts a label on a namespace while the settings say so, which its member can't change", async () => {
      const onCluster = async () => {
        const { metadata } = await stack.sandbox.get<V1Namespace>("namespace", "ada");
        return Object.entries(metadata?.labels ?? {}).filter(([key]) => key.startsWith("labels."));
      };
      const others = [{ ...bea, type: "admin", home: "view", others: "none" }];
      const labelled = [{ ...ada, labels: { course: "cs101", room: "r1" } }, ...others];
      await stack.configure(labelled, { labels: { course: { onCluster: true } } });
      await stack.upFine();
      assert.deepEqual(await onCluster(), [["labels.kubecamp.dev/course", "cs101"]]);
      const change = ["label", "namespace", "ada", "labels.kubecamp.dev/course=cs102", "--overwrite", "--as=oidc:ada"];
      const refused = await stack.sandbox.kubectl(change);
      assert.equal(refused.exitCode, 1);
      assert.match(refused.stderr, /User "oidc:ada" cannot patch resource "namespaces"/);
      await stack.configure(labelled);
      await stack.upFine();
      assert.deepEqual(await onCluster(), []);
    });
  });

  describe("at its end", () => {
    it("leaves the cluster as it was when the stack is destroyed", async () => {
      const destroyed = await stack.run(["destroy", "--yes", "--skip-preview"]);
      assert.equal(destroyed.exitCode, 0, destroyed.output);
      assert.deepEqual(await inventory(stack.sandbox), empty);
      assert.deepEqual(await stack.urns(), []);
    });
  });
});
