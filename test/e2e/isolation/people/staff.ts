import assert from "node:assert/strict";
import type { V1RoleBinding } from "@kubernetes/client-node";
import { warningsOf } from "../../program/inProcess.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { until } from "../../program/workloads.ts";
import {
  type Answer,
  assertFine,
  assertRefused,
  type Caller,
  signedIn,
  wordsOf,
} from "../../support/signIn/signedIn.ts";
import { inside, workload } from "../hostile/attempt.ts";

export const staffTypes = { student: { others: "none" } };
const cs101 = { labels: { course: "cs101" } };
export const staffMembers: readonly Entry[] = [
  { member: "sam", type: "student", route: false, ...cs101 },
  { member: "sue", type: "student", route: false, suspended: true, ...cs101 },
  { member: "tina", type: "student", route: false, labels: { course: "cs102" } },
];
export const staff = [
  { subject: "vera", role: "view", over: cs101 },
  { group: "ta-cs101", role: "assist", over: cs101 },
  { subject: "tina", role: "edit", until: "2099-12-31", reason: "exam week" },
];

const refused = (answer: Answer, words: RegExp = /cannot \w+ resource/) => assertRefused(answer, words);
const strategic = "application/strategic-merge-patch+json";
const web = inside("sam", "deployments/web");

/** What staff may do, in a stack with these settings and members, and others. */
export function staffRights(stack: TestStack, others: readonly Entry[], settings: () => Record<string, unknown>): void {
  describe("staff", () => {
    const callers = new Map<string, Caller>();
    /** Pod of sam's Deployment. */
    let pod = "";

    const by = (name: string): Caller => callers.get(name) ?? assert.fail(name);
    const patch = (change: object) => by("tom").ask("PATCH", web, change, strategic);
    const ofPod = (spec: object) => ({ spec: { template: { spec } } });
    const podsOfSam = () => stack.sandbox.names("pod", { namespace: "sam" });

    before(async () => {
      for (const [sub, ...groups] of [["vera"], ["tom", "ta-cs101"], ["tina"], ["sam"], ["sue"], ["eve", "ta-cs102"]]) {
        callers.set(sub ?? "", await signedIn(stack.sandbox, { sub: sub ?? "", groups }));
      }
      assertFine(await by("sam").ask("POST", inside("sam", "deployments"), workload("web")));
      assertFine(await by("sam").ask("POST", inside("sam", "secrets"), { metadata: { name: "password" } }));
      await until(async () => (await podsOfSam()).length > 0);
      [pod = ""] = await podsOfSam();
      // The API server takes a second to put policies in force.
      await until(
        async () =>
          (await by("tom").ask("PATCH", `${web}?dryRun=All`, { spec: { paused: true } }, strategic)).status >= 400,
      );
    });

    describe("with view", () => {
      it("lets staff with view look at workloads, ConfigMaps and logs, also of suspended members", async () => {
        for (const namespace of ["sam", "sue"]) {
          for (const resource of ["pods", "deployments", "configmaps", "events", "rolebindings"]) {
            assertFine(await by("vera").ask("GET", inside(namespace, resource)));
          }
        }
        assert.notEqual((await by("vera").ask("GET", inside("sam", `pods/${pod}/log`))).status, 403);
      });

      it("refuses staff with view Secrets, commands in pods and every change", async () => {
        for (const [method, path] of [
          ["GET", "secrets"],
          ["GET", "secrets/password"],
          ["POST", `pods/${pod}/exec?command=id`],
          ["POST", `pods/${pod}/portforward`],
          ["DELETE", `pods/${pod}`],
          ["POST", "pods"],
        ] as const) {
          refused(await by("vera").ask(method, inside("sam", path), method === "GET" ? undefined : {}));
        }
        refused(await by("vera").ask("PATCH", web, {}, strategic));
      });
    });

    describe("with assist", () => {
      it("lets staff with assist run commands and forward ports", async () => {
        for (const subresource of ["exec?command=id", "portforward"]) {
          const answer = await by("tom").ask("POST", inside("sam", `pods/${pod}/${subresource}`));
          assert.notEqual(answer.status, 403, wordsOf(answer));
        }
      });

      it("lets staff with assist restart by kubectl and by deleting a pod", async () => {
        const { exitCode, stderr } = await by("tom").kubectl(["rollout", "restart", "deployment/web", "-n", "sam"]);
        assert.equal(exitCode, 0, stderr);
        await until(async () => !(await podsOfSam()).includes(pod) && (await podsOfSam()).length > 0);
        const [next = ""] = await podsOfSam();
        assertFine(await by("tom").ask("DELETE", inside("sam", `pods/${next}`)));
        await until(async () => !(await podsOfSam()).includes(next) && (await podsOfSam()).length > 0);
        [pod = ""] = await podsOfSam();
      });

      const container = { name: "web" };
      const changes: Readonly<Record<string, object>> = {
        "another image": ofPod({ containers: [{ ...container, image: "evil:1" }] }),
        "a Secret as a volume": ofPod({ volumes: [{ name: "stolen", secret: { secretName: "password" } }] }),
        "a Secret in the environment": ofPod({
          containers: [{ ...container, envFrom: [{ secretRef: { name: "password" } }] }],
        }),
        "a further container": ofPod({ containers: [{ name: "more", image: "nginx:1.27" }] }),
        "no pods": { spec: { replicas: 0 } },
        "other labels of pods": { spec: { template: { metadata: { labels: { more: "1" } } } } },
        "other annotations of pods": { spec: { template: { metadata: { annotations: { more: "1" } } } } },
        "an owner that is not there": {
          metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x" }] },
        },
        "another label": { metadata: { labels: { more: "1" } } },
        "an applier that owns its containers": {
          metadata: {
            managedFields: [
              {
                manager: "kubectl",
                operation: "Apply",
                apiVersion: "apps/v1",
                fieldsType: "FieldsV1",
                fieldsV1: { "f:spec": { "f:template": { "f:spec": { "f:containers": {} } } } },
              },
            ],
          },
        },
        "empty managed fields": { metadata: { managedFields: [{}] } },
      };
      for (const [what, change] of Object.entries(changes)) {
        it(`refuses staff with assist who give a Deployment ${what}`, async () => {
          refused(await patch(change), /'kubecamp-restarts-people' .*use 'kubectl rollout restart'/);
        });
      }

      it("refuses staff with assist every other change, and Secrets", async () => {
        for (const [method, path] of [
          ["GET", "secrets/password"],
          ["POST", "pods"],
          ["POST", "deployments"],
          ["DELETE", "deployments/web"],
          ["DELETE", "pods"],
          ["POST", `pods/${pod}/eviction`],
          ["PATCH", `pods/${pod}/ephemeralcontainers`],
          ["PATCH", `pods/${pod}/resize`],
          ["PATCH", "deployments/web/scale"],
          ["PATCH", "resourcequotas/quota"],
        ] as const) {
          const body = method === "GET" ? undefined : {};
          refused(await by("tom").ask(method, inside("sam", path), body, method === "PATCH" ? strategic : undefined));
        }
      });

      it("lets staff with assist look at a suspended member, who can't look themselves", async () => {
        assertFine(await by("tom").ask("GET", inside("sue", "pods")));
        refused(await by("sue").ask("GET", inside("sue", "pods")));
      });
    });

    describe("with edit", () => {
      it("lets staff with edit do what the member may, under the member's guard rails", async () => {
        assertFine(await by("tina").ask("GET", inside("sam", "secrets/password")));
        assertFine(await by("tina").ask("PATCH", web, { metadata: { labels: { by: "tina" } } }, strategic));
        const privileged = { containers: [{ name: "web", image: "nginx", securityContext: { privileged: true } }] };
        const made = await by("tina").ask("POST", inside("sam", "pods"), {
          metadata: { name: "root" },
          spec: privileged,
        });
        refused(made, /violates PodSecurity "baseline/);
        refused(await by("tina").ask("PATCH", inside("sam", "resourcequotas/quota"), {}, strategic));
      });

      it("gives staff with edit no further binding in their own namespace", async () => {
        const bindings = async (namespace: string) =>
          (await stack.sandbox.names("rolebinding", { namespace })).join(" ");
        assert.equal(await bindings("tina"), "kubecamp-edit");
        assert.equal(
          await bindings("sam"),
          "kubecamp-edit kubecamp:staff-assist kubecamp:staff-edit kubecamp:staff-view",
        );
        assert.equal(await bindings("sue"), "kubecamp:staff-assist kubecamp:staff-edit kubecamp:staff-view");
      });
    });

    describe("stay within what they are over", () => {
      it("shows staff nothing in other namespaces or in the whole cluster", async () => {
        for (const name of ["vera", "tom"]) {
          for (const namespace of ["tina", "kube-system", "ingress-nginx"]) {
            refused(await by(name).ask("GET", inside(namespace, "pods")));
          }
          refused(await by(name).ask("GET", "/api/v1/pods"));
        }
        refused(await by("eve").ask("GET", inside("sam", "pods")));
      });

      it("lets neither members nor staff make or change bindings of staff", async () => {
        const apiGroup = "rbac.authorization.k8s.io";
        const binding = (name: string, role: string) => ({
          metadata: { name: "more" },
          roleRef: { apiGroup, kind: "Role", name: role },
          subjects: [{ apiGroup, kind: "User", name: `oidc:${name}` }],
        });
        const attempts: readonly (readonly [name: string, namespace: string, role: string])[] = [
          ["sam", "sam", "kubecamp:staff-assist"],
          ["sam", "tina", "kubecamp-edit"],
          ["tom", "sam", "kubecamp-edit"],
          ["tina", "sam", "kubecamp-edit"],
          ["tina", "tina", "kubecamp:staff-assist"],
        ];
        for (const [name, namespace, role] of attempts) {
          refused(await by(name).ask("POST", inside(namespace, "rolebindings"), binding(name, role)));
        }
        const assist = inside("sam", "rolebindings/kubecamp:staff-assist");
        for (const name of ["sam", "tom", "tina"]) {
          refused(await by(name).ask("PATCH", assist, binding(name, "kubecamp:staff-assist"), strategic));
          refused(await by(name).ask("PATCH", inside("sam", "roles/kubecamp:staff-assist"), { rules: [] }, strategic));
        }
      });

      it("lets nobody who holds a lease make it longer, not even with edit", async () => {
        const binding = inside("sam", "rolebindings/kubecamp:staff-edit");
        const { metadata } = await stack.sandbox.get<V1RoleBinding>("rolebinding", "kubecamp:staff-edit", "sam");
        const key = "kubecamp.dev/staff-until";
        assert.equal(metadata?.annotations?.[key], "oidc:tina until 2099-12-31, exam week");
        refused(await by("tina").ask("PATCH", binding, { metadata: { annotations: { [key]: null } } }, strategic));
        refused(await by("tina").ask("DELETE", binding));
      });
    });

    // In a describe of its own: mocha runs a suite's own tests before those of nested suites.
    describe("later", () => {
      it("warns of staff who are over nobody", async () => {
        await stack.configure([...staffMembers, ...others], {
          ...settings(),
          staff: [{ ...staff[1], over: { labels: { course: "cs1O1" } } }],
        });
        const output = await warningsOf(stack);
        assert.ok(output.includes("staff[0].over selects no member; did you mean 'course=cs101'?"), output);
      });

      it("takes all rights from staff whose lease is over, or who are suspended themselves", async () => {
        const tina = staffMembers.map((entry) => (entry.member === "tina" ? { ...entry, suspended: true } : entry));
        const over = { ...staff[0], until: "2026-11-01" };
        await stack.configure([...tina, ...others], { ...settings(), staff: [over, ...staff.slice(1)] });
        const { steps } = await stack.upFine();
        // Nothing else has changed since the first run.
        const rights = (...names: string[]) => names.map((name) => `kubernetes:rbac.authorization.k8s.io/v1:${name}`);
        const deleted = rights(
          ...["sam", "sue"].map((member) => `Role ${member}/staff-role/view`),
          ...["sam", "sue"].flatMap((member) => ["edit", "view"].map((role) => `RoleBinding ${member}/staff/${role}`)),
          ...others.map(({ member }) => `RoleBinding ${member}/staff/edit`),
          "RoleBinding tina/binding/edit",
        );
        const updated = [
          "kubernetes:core/v1:Namespace tina/namespace",
          "kubernetes:core/v1:ResourceQuota tina/quota",
          ...rights("Role tina/role/edit"),
        ];
        assert.deepEqual(
          steps.toSorted(),
          [...deleted.map((each) => `delete ${each}`), ...updated.map((each) => `update ${each}`)].sort(),
        );
        for (const name of ["vera", "tina"]) {
          refused(await by(name).ask("GET", inside("sam", "pods")));
        }
        assertFine(await by("tom").ask("GET", inside("sam", "pods")));
        await stack.configure([...staffMembers, ...others], { ...settings(), staff: [] });
        await stack.upFine();
        refused(await by("tom").ask("GET", inside("sue", "pods")));
        assertFine(await by("sam").ask("GET", inside("sam", "pods")));
      });
    });
  });
}
