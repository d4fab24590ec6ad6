import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { V1ConfigMap, V1Deployment } from "@kubernetes/client-node";
import { stringify } from "yaml";
import { signatureKey } from "../../../naming/pulumiMarks.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { assertSays, refusedInProcess } from "../program/inProcess.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { type Answer, type Caller, signedIn, wordsOf } from "../support/signIn/signedIn.ts";

const members: readonly Entry[] = [
  { member: "ann", type: "user", route: false, labels: { course: "cs101" } },
  { member: "bob", type: "user", route: false },
];

const settings = { contact: "platform@example.org", images: ["*"] };
const labels = { app: "tutor" };
const course = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "course" },
  data: { hello: `\${subject} in \${namespace}, $\${HOME}` },
};
const tutor = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "tutor" },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          // Values that the API server writes in another form, or leaves out.
          {
            name: "tutor",
            image: "tutor:1",
            env: [{ name: "EMPTY", value: "" }],
            resources: { limits: { cpu: "0.1" } },
          },
        ],
      },
    },
  },
};
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "tutor" },
  spec: { selector: labels, ports: [{ port: 80 }] },
};

const home = "/api/v1/namespaces/ann";
const apps = "/apis/apps/v1/namespaces/ann";
const autoscaling = "/apis/autoscaling/v2/namespaces/ann/horizontalpodautoscalers";

const merge = "application/merge-patch+json";

describe("objects that members are given", () => {
  const stack = useStack("objects");
  let ann: Caller;

  const give = async (...manifests: readonly object[]) => {
    const file = join(stack.folder, "course.yaml");
    await writeFile(file, manifests.map((manifest) => stringify(manifest)).join("---\n"));
    const entry = { file: relative(repository, file), for: { labels: { course: "cs101" } } };
    await stack.configure(members, { ...settings, objects: [entry] });
  };
  const namesIn = async (namespace: string) => {
    const given = ["configmap", "deployment", "service"].map(async (kind) => {
      const names = await stack.sandbox.names(kind, { namespace, labelSelector: "kubecamp.dev/object=true" });
      return names.map((name) => `${kind}/${name}`);
    });
    return (await Promise.all(given)).flat();
  };

  before(async () => {
    await give(course, tutor, service);
    await stack.upFine();
    ann = await signedIn(stack.sandbox, { sub: "ann" });
    // The API server takes a second to put policies in force.
    await until(async () => (await ann.ask("DELETE", `${home}/configmaps/course?dryRun=All`)).status === 403);
  });

  it("are there for those whom they are for, filled in, and those can look at them", async () => {
    assert.deepEqual(await namesIn("ann"), ["configmap/course", "deployment/tutor", "service/tutor"]);
    assert.deepEqual(await namesIn("bob"), []);
    const { status, body } = await ann.ask("GET", `${home}/configmaps/course`);
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, { data: { hello: "ann in ann, $" + "{HOME}" } });
    await until(
      async () => (await stack.sandbox.names("pod", { namespace: "ann", labelSelector: "app=tutor" })).length > 0,
    );
  });

  const scale = { spec: { replicas: 0 } };
  const autoscaler = (name: string, target: string) => ({
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target },
      minReplicas: 1,
      maxReplicas: 2,
    },
  });
  const platforms = "belongs to the platform, and only the platform can create, change or delete it";
  const attempts: readonly (readonly [string, string, string, object | undefined, string])[] = [
    ["change", "PATCH", `${home}/configmaps/course`, { data: { hello: "mine" } }, `ConfigMap 'course' ${platforms}`],
    ["delete", "DELETE", `${home}/configmaps/course`, undefined, `ConfigMap 'course' ${platforms}: ask`],
    ["delete together", "DELETE", `${home}/configmaps`, undefined, `ConfigMap 'course' ${platforms}`],
    [
      "relabel",
      "PATCH",
      `${apps}/deployments/tutor`,
      { metadata: { labels: { "app.kubernetes.io/managed-by": null, "kubecamp.dev/object": null } } },
      `Deployment 'tutor' ${platforms}: delete its pods to restart it, or ask platform@example.org`,
    ],
    [
      "scale",
      "PATCH",
      `${apps}/deployments/tutor/scale`,
      scale,
      `Scale 'tutor' ${platforms}: delete its pods to restart it`,
    ],
    [
      "autoscale",
      "POST",
      autoscaling,
      autoscaler("mine", "tutor"),
      "HorizontalPodAutoscaler 'mine' scales Deployment tutor, which is the platform's",
    ],
    [
      "lead elsewhere",
      "PATCH",
      `${home}/services/tutor`,
      { spec: { selector: { app: "mine" } } },
      `Service 'tutor' ${platforms}`,
    ],
    [
      "make up",
      "POST",
      `${home}/configmaps`,
      { metadata: { name: "mine", labels: { "kubecamp.dev/object": "true" } } },
      "ConfigMap 'mine' has 'kubecamp.dev/object=true', which only the platform may set",
    ],
  ];
  for (const [verb, method, path, body, refusal] of attempts) {
    it(`are not the member's to ${verb}`, async () => {
      const answer = await ann.ask(method, path, body, method === "PATCH" ? merge : undefined);
      assert.match(wordsOf(answer), new RegExp(`^(403|422) .*${refusal}`));
    });
  }

  it("are not scaled by an autoscaler that the member made before", async () => {
    const metadata = { name: "tutor", namespace: "ann" };
    const body = JSON.stringify({ apiVersion: "autoscaling/v1", kind: "Scale", metadata, spec: { replicas: 2 } });
    const scaled = (headers: Readonly<Record<string, string>>) =>
      stack.sandbox.ask("PUT", `${apps}/deployments/tutor/scale?dryRun=All`, {
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    const controller = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
    const refused = await scaled({ "impersonate-user": controller });
    assert.ok(refused.code >= 400);
    assert.match(refused.body, /Scale 'tutor' .* no HorizontalPodAutoscaler can scale it/);
    assert.equal((await scaled({})).code, 200);
  });

  it("leave the member's own objects alone", async () => {
    const fine = (answer: Answer) => assert.ok(answer.status < 300, wordsOf(answer));
    fine(await ann.ask("POST", `${home}/configmaps`, { metadata: { name: "mine" }, data: { a: "b" } }));
    fine(await ann.ask("PATCH", `${home}/configmaps/mine`, { data: { a: "c" } }, merge));
    fine(await ann.ask("DELETE", `${home}/configmaps/mine`));
    fine(await ann.ask("POST", `${autoscaling}?dryRun=All`, autoscaler("mine", "web")));
    fine(await ann.ask("DELETE", `${home}/pods?labelSelector=app%3Dtutor`));
  });

  it("have no claim of a member's own taken for the content of a file", async () => {
    const made = (annotations: object) =>
      ann.ask("POST", `${apps}/statefulsets?dryRun=All`, {
        metadata: { name: "mine" },
        spec: {
          selector: { matchLabels: { app: "mine" } },
          template: { metadata: { labels: { app: "mine" } }, spec: { containers: [{ name: "main", image: "main" }] } },
          volumeClaimTemplates: [
            {
              metadata: { name: "data", annotations },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
            },
          ],
        },
      });
    assert.equal((await made({ note: "mine" })).status, 201);
    const { status, body } = await made({ [signatureKey]: "x" });
    assert.equal(status, 403);
    assert.match(JSON.stringify(body), new RegExp(`StatefulSet 'mine' has the key ${signatureKey}`));
  });

  it("come back as declared after the platform's own change by hand, which a run tells of", async () => {
    await stack.sandbox.patch("deployment/scale", "tutor", "ann", { spec: { replicas: 0 } });
    const { output } = await stack.upFine();
    assert.match(output, /Deployment ann\/tutor/);
    assert.equal((await stack.sandbox.get<V1Deployment>("deployment", "tutor", "ann")).spec?.replicas, 1);
  });

  it("are unchanged in the next run, and not made over an object of the member's own", async () => {
    const own = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "own", namespace: "ann" }, data: { a: "b" } };
    // With the marks of a run, which members can make up for names that nobody is given yet.
    const { metadata } = await stack.sandbox.get<V1ConfigMap>("configmap", "course", "ann");
    const marks = { labels: metadata?.labels, annotations: { "kubecamp.dev/applied": "x" } };
    await stack.sandbox.apply(own, { ...own, metadata: { name: "marked", namespace: "ann", ...marks } });
    const given = ["own", "marked"].map((name) => ({ ...course, metadata: { name } }));
    await give(course, tutor, service, ...given);
    const { steps, output } = await stack.upFine();
    assert.deepEqual(steps, [], output);
    const words = "warning: [objectInTheWay] Objects that members did not get, since another is in the way:";
    assert.deepEqual([...new Set(output.match(/warning: .*/g))], [words], output);
    assertSays(output, [
      /\[objectInTheWay\].*\n.*ann: ConfigMap ann\/(own|marked) is the member's own/,
      "ann: ConfigMap ann/own is the member's own",
      "ann: ConfigMap ann/marked is the member's own",
    ]);
    for (const name of ["own", "marked"]) {
      assert.deepEqual((await stack.sandbox.get<V1ConfigMap>("configmap", name, "ann")).data, { a: "b" });
    }
    assert.equal((await ann.ask("DELETE", `${home}/configmaps/own`)).status, 200);
    await stack.delete("configmap", "marked", "ann");
    await stack.upFine();
    const made = ["configmap/course", "configmap/marked", "configmap/own", "deployment/tutor", "service/tutor"];
    assert.deepEqual(await namesIn("ann"), made);
  });

  it("go once they are no longer in their file", async () => {
    await give({ ...course, metadata: { name: "other" } });
    await stack.upFine();
    assert.deepEqual(await namesIn("ann"), ["configmap/other"]);
  });

  it("stop a run that can't read their file, with its name, and delete nothing", async () => {
    const file = relative(repository, join(stack.folder, "gone.yaml"));
    await stack.configure(members, { ...settings, objects: [{ file }] });
    await refusedInProcess(stack, [/gone\.yaml.* does not exist; give its path relative to the project's folder/]);
    assert.deepEqual(await namesIn("ann"), ["configmap/other"]);
  });

  it("go once they are no longer in the settings, and are the members' own names again", async () => {
    await stack.configure(members, settings);
    await stack.upFine();
    assert.deepEqual(await namesIn("ann"), []);
    await until(async () => (await ann.ask("POST", `${home}/configmaps?dryRun=All`, course)).status === 201);
  });
});
