import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { admissionPolicies } from "../../../../config/names/names.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { eventsOf } from "../history.ts";
import { assertSays, refusedInProcess, warningsOf } from "../inProcess.ts";
import { everything, type LiveObject, nameOf } from "../inventory.ts";
import { type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { deploy, makeNamespace, makeService } from "../workloads.ts";
import { MembersOperator } from "./membersOperator.ts";

/** Entries of the operator's own list. */
const ann = { member: "ann", type: "admin" };
const members = [ann, { member: "gil", type: "guest-user" }];
const adopt = { offboarding: { adopt: true } };

describe("adoption", () => {
  const stack = useStack("adopt");
  const operator = new MembersOperator(stack);

  const objects = async () => new Map((await everything(stack.sandbox)).map((object) => [nameOf(object), object]));
  const versions = async () =>
    [...(await objects())].map(([name, { metadata }]) => `${name} ${metadata.resourceVersion}`);
  const uids = (live: ReadonlyMap<string, LiveObject>) =>
    new Map([...live].map(([name, { metadata }]) => [name, metadata.uid]));
  const isOurs = ({ metadata }: LiveObject) => metadata.labels?.["kubecamp.dev/stack"] === "adopt";
  const ours = async () => new Map([...(await objects())].filter(([, object]) => isOurs(object)));
  const fine = (run: Run) => assert.equal(run.exitCode, 0, run.output);
  /** Expects these lines, whatever the whitespace: Pulumi indents messages. */
  const says = ({ output }: Run, ...lines: string[]) => {
    const words = output.replace(/\s+/g, " ");
    for (const line of lines) {
      assert.ok(words.includes(line), `${line} in\n${output}`);
    }
  };

  describe("of a cluster that the Members operator filled", () => {
    let found: ReadonlyMap<string, LiveObject>;
    /** Objects that members made themselves. */
    const namespaceContents = members.flatMap(({ member }) => [
      `Deployment ${member}/web`,
      `ConfigMap ${member}/notes`,
      `PersistentVolumeClaim ${member}/data`,
      `Service ${member}/${member}-svc`,
    ]);
    const unmanagedObjects = [
      "kubectl delete clusterrolebinding/members-ann clusterrolebinding/members-gil",
      "kubectl delete -n ann role/members-role rolebinding/members-binding",
      "kubectl delete -n gil role/members-role rolebinding/members-binding",
    ];

    const notes = (namespace: string) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "notes", namespace },
      data: { kept: "yes" },
    });
    /** The operator's list, as kubectl prints it. */
    const useOperatorsFile = (settings: Record<string, unknown> = {}) =>
      stack.configure(undefined, {
        membersFile: relative(repository, join(stack.folder, "members.yaml")),
        ...settings,
      });

    before(async () => {
      await operator.fill(members);
      const list = await stack.kubectl("get", "members", "--all-namespaces", "-o", "yaml");
      await writeFile(join(stack.folder, "members.yaml"), list);
      for (const { member } of members) {
        await makeService(stack, member);
        await stack.sandbox.create(notes(member), {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: "data", namespace: member },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } },
        });
        await deploy(stack, member, 1);
      }
      found = await objects();
    });
    after(() => operator.clear(members));

    it("stops without adopt, and names everybody whose namespace exists", async () => {
      await useOperatorsFile();
      await refusedInProcess(stack, [
        ...members.map(
          ({ member }) => `member '${member}': namespace '${member}' exists already and is not kubecamp's;`,
        ),
        "or set adopt: true on the member to take it over",
      ]);
    });

    it("takes over only namespaces with an admin's mark if the list is in a file of its own", async () => {
      await useOperatorsFile(adopt);
      await refusedInProcess(
        stack,
        members.map(({ member }) => `kubectl annotate namespace ${member} kubecamp.dev/adopt=adopt`),
      );
      for (const { member } of members) {
        await stack.kubectl("annotate", "namespace", member, "kubecamp.dev/adopt=adopt");
      }
      found = await objects();
    });

    it("previews what is taken over without touching anything", async () => {
      await useOperatorsFile(adopt);
      const then = await versions();
      const preview = await stack.preview();
      fine(preview);
      says(
        preview,
        "Taken over (adopt) by 'pulumi up', without deleting or recreating them: " +
          "ann: Namespace ann, LimitRange ann/default-limits, NetworkPolicy ann/isolation, " +
          "Service ingress-nginx/ann-svc, Ingress ingress-nginx/ann " +
          "gil: Namespace gil, LimitRange gil/default-limits, NetworkPolicy gil/isolation, ResourceQuota gil/quota, " +
          "Service ingress-nginx/gil-svc, Ingress ingress-nginx/gil",
        "Members 'kubecamp-ann': LimitRange ann/default-limits, NetworkPolicy ann/isolation",
        "CustomResourceDefinition 'members.crds.yadiary.net': Namespace ann, Namespace gil",
        ...unmanagedObjects,
      );
      assert.doesNotMatch(preview.output, /Changed by hand|Deleted by hand/);
      assert.deepEqual(await versions(), then);
    });

    it("takes over without interrupting a route, or deleting or recreating anything", async () => {
      const doors = /^(ann|gil)(-svc)?$/;
      const events = await eventsOf(
        stack,
        (name) => doors.test(name),
        async () => {
          const up = await stack.upFine();
          assert.deepEqual(
            up.steps.filter((step) => !step.startsWith("create ")),
            [],
          );
        },
      );
      const doorEvents = events.filter(({ object }) => object.metadata.namespace === "ingress-nginx");
      assert.notEqual(doorEvents.length, 0);
      for (const { type, object } of doorEvents) {
        const before = found.get(nameOf(object as unknown as LiveObject));
        assert.equal(type, "MODIFIED");
        assert.equal(object.metadata.deletionTimestamp, undefined);
        assert.deepEqual(doorOf(object), doorOf(before));
      }
      assert.deepEqual(
        events.filter(({ type }) => type === "DELETED"),
        [],
      );
      const now = await objects();
      const kept = [...uids(now)].filter(([name]) => found.has(name));
      assert.deepEqual(new Map(kept), uids(found));
      for (const name of namespaceContents) {
        assert.equal(now.get(name)?.metadata.resourceVersion, found.get(name)?.metadata.resourceVersion, name);
      }
    });

    it("makes adopted objects its own, without an owner, and keeps others' fields", async () => {
      const now = await ours();
      assert.equal(now.size, 2 + 2 * admissionPolicies.length + 9 + 10);
      for (const [name, { metadata }] of now) {
        assert.equal(metadata.ownerReferences, undefined, name);
      }
      const { metadata, spec } = now.get("Ingress ingress-nginx/ann") ?? { metadata: undefined, spec: undefined };
      assert.equal(metadata?.annotations?.["nginx.ingress.kubernetes.io/backend-protocol"], "HTTPS");
      assert.deepEqual(Object(spec).tls, [{ hosts: ["camp.test"], secretName: "camp-tls" }]);
      assert.deepEqual(Object(now.get("NetworkPolicy gil/isolation")?.spec).policyTypes, ["Ingress", "Egress"]);
    });

    it("leaves nothing to change after adoption, and names what is left to delete", async () => {
      const then = await versions();
      const again = await stack.preview("--refresh", "--expect-no-changes");
      fine(again);
      assert.deepEqual(again.steps, []);
      says(again, ...unmanagedObjects);
      assert.doesNotMatch(again.output, /Taken over|Owner references|Changed by hand|Deleted by hand/);
      assert.deepEqual(await versions(), then);
    });

    it("changes only Ingress annotations and a new owner once adopt is off", async () => {
      const { apiVersion, kind, metadata } = await stack.sandbox.get<LiveObject>("members", "kubecamp-ann", "ann");
      const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
      await stack.sandbox.patch("role", "kubecamp-edit", "ann", { metadata: { ownerReferences: [owner] } });
      await useOperatorsFile();
      const touched = await touchedBy(stack, async () => {
        const up = await stack.upFine();
        assert.deepEqual(up.steps.toSorted(), [
          "update kubernetes:networking.k8s.io/v1:Ingress ann/route/ingress",
          "update kubernetes:networking.k8s.io/v1:Ingress gil/route/ingress",
        ]);
        says(up, "Members 'kubecamp-ann': Role ann/kubecamp-edit");
        // With adopt, a path keeps its settings; without, it follows the stack's, and the preview warns of that.
        const protocol = "annotation nginx.ingress.kubernetes.io/backend-protocol";
        for (const name of ["ann", "gil"]) {
          assert.match(up.output, new RegExp(`Ingress ingress-nginx/${name}: .*${protocol}`));
        }
        assert.doesNotMatch(up.output, /Taken over|Deleted by hand/);
      });
      const doors = ["Ingress ingress-nginx/ann", "Ingress ingress-nginx/gil"];
      assert.deepEqual(touched, [...doors, "Role ann/kubecamp-edit"]);
      const now = await ours();
      assert.equal(now.get("Role ann/kubecamp-edit")?.metadata.ownerReferences, undefined);
      await useOperatorsFile(adopt);
    });

    it("keeps adopted objects when the operator goes, and lets only the operator's be collected", async () => {
      const then = uids(await ours());
      await operator.remove(members);
      assert.deepEqual(uids(await ours()), then);
      const now = await objects();
      assert.equal(now.has("RoleBinding ann/members-binding"), false);
      for (const name of namespaceContents) {
        assert.equal(now.get(name)?.metadata.uid, found.get(name)?.metadata.uid, name);
      }
      assertSays(await warningsOf(stack), [
        "kubectl delete clusterrolebinding/members-ann clusterrolebinding/members-gil",
      ]);
    });

    describe("and, once the operator is gone,", () => {
      let then: ReadonlyMap<string, LiveObject>;
      let up: Run;

      before(async () => {
        await makeNamespace(stack, "zoe");
        await stack.sandbox.create(notes("zoe"));
        then = await objects();
        await stack.configure([
          { ...ann, adopt: true },
          { member: "zoe", type: "user", adopt: true },
        ]);
        up = await stack.upFine();
      });

      it("removes an adopted member as any other, and leaves what it never took over", async () => {
        const left = [...(await objects()).keys()].filter((name) => /\bgil\b/.test(name));
        assert.deepEqual(left, ["ClusterRoleBinding members-gil"]);
        assert.deepEqual(
          up.steps.filter((step) => !/ (gil|zoe)(\/|$)/.test(step)),
          [],
        );
      });

      it("adopts a namespace that was made by hand, and leaves what is in it as it is", async () => {
        says(up, "zoe: Namespace zoe");
        const now = await ours();
        assert.equal(now.get("Namespace zoe")?.metadata.uid, then.get("Namespace zoe")?.metadata.uid);
        assert.deepEqual((await objects()).get("ConfigMap zoe/notes"), then.get("ConfigMap zoe/notes"));
      });
    });
  });
});

/** Fields of a Service or an Ingress that decide where requests go. */
function doorOf(object: unknown): unknown {
  const { externalName, ingressClassName, rules } = Object(Object(object).spec);
  // A trailing dot names the same host, and skips search domains.
  return { externalName: externalName?.replace(/\.$/, ""), ingressClassName, rules };
}
