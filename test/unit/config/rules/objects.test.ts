import assert from "node:assert/strict";
import { readYaml } from "../../../../config/sources/yaml.ts";
import { configuration, mistakes as mistakesIn } from "../../samples.ts";

const members = [
  { member: "alice", type: "user", subject: "alice@example.org", labels: { course: "cs101" } },
  { member: "bob", type: "user", route: false },
];

/** A configuration with these files of `objects`. */
function stackOf(files: Readonly<Record<string, string>>, more: object = {}) {
  const objects = new Map(
    Object.entries(files).map(([file, text]) => [file, { documents: readYaml(file, text).documents, mistakes: [] }]),
  );
  return [{ members, objects: [{ file: "a.yaml" }], ...more }, { objects }] as const;
}

const mistakes = (...of: Parameters<typeof stackOf>) => mistakesIn(...stackOf(...of));
const mistakesOf = (text: string, more: object = {}) => mistakes({ "a.yaml": text }, more);
const given = (...of: Parameters<typeof stackOf>) =>
  Object.fromEntries(configuration(...stackOf(...of)).members.map(({ name, objects }) => [name, objects]));

const course = `
apiVersion: v1
kind: ConfigMap
metadata: { name: course, labels: { of: "\${member}" } }
data: { hello: "\${subject} in \${namespace}: $\${HOME}" }
`;

const deployment = (pod: object) =>
  JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "tutor" },
    spec: { replicas: 1, template: { spec: { containers: [{ name: "tutor", image: "tutor" }], ...pod } } },
  });

describe("objects for members", () => {
  it("fills in objects for each member whom they are for", () => {
    const data = { hello: `alice@example.org in alice: \${HOME}` };
    const forCourse = [{ file: "a.yaml", for: { labels: { course: "cs101" } } }];
    const made = { kind: "ConfigMap", name: "course", labels: { of: "alice" }, annotations: {}, content: { data } };
    const found = given({ "a.yaml": course }, { objects: forCourse });
    assert.deepEqual(found, { alice: [{ ...made, index: 0, at: 0 }], bob: undefined });
  });

  it("refuses objects of a kind or place that no member is given", () => {
    const known = "a file can have ConfigMap, CronJob, DaemonSet, Deployment, Service, StatefulSet";
    const texts: Readonly<Record<string, string>> = {
      "kind: Namespace": `kind: Namespace is cluster-scoped, and members get objects in their own namespace only; ${known}`,
      "kind: Secret": `kind: Secret in a file can be read by everybody who reads the repository; create it in a namespace, and set copy instead; ${known}`,
      "apiVersion: argoproj.io/v1alpha1\nkind: Workflow": `kind: Workflow is a custom kind that the settings don't allow: its controller may grant rights, run pods or copy secrets for whoever has such an object. If it does nothing that its member may not do, set objectKinds: [{ apiVersion: argoproj.io/v1alpha1, kind: Workflow }]; ${known}`,
      "apiVersion: kyverno.io/v1\nkind: Policy": `kind: Policy is a custom kind that kubecamp never allows: it decides about others' requests; ${known}`,
      "{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding }": `kind: RoleBinding is a kind that kubecamp itself creates from the settings; ${known}`,
      "kind: Pod": `kind: Pod is not created again when its node is lost; give a Deployment; ${known}`,
      "kind: List": `kind: List is a list; put each object into a document of its own, after a line with ---; ${known}`,
      "metadata: { name: x }": "has no kind",
    };
    for (const [text, message] of Object.entries(texts)) {
      assert.deepEqual(mistakesOf(text), [`objects[0].file: "a.yaml" line 1: ${message}`]);
    }
  });

  it("refuses objects with all that is wrong in a manifest", () => {
    const text = `
apiVersion: v2
kind: ConfigMap
metadata: { name: course, namespace: other, finalizers: [x], labels: { kubecamp.dev/member: bob } }
data: { a: "\${nmespace}" }
status: {}
`;
    const at = `objects[0].file: "a.yaml" line 2 (ConfigMap 'course'): `;
    assert.deepEqual(mistakesOf(text), [
      `${at}apiVersion: must be v1`,
      `${at}metadata.namespace: names 'other', and members get objects in their own namespace only; leave it out`,
      `${at}metadata.finalizers: can't be set for members; leave it out`,
      `${at}metadata.labels.kubecamp.dev/member: is set by kubecamp; leave it out`,
      `${at}status: is written by the cluster only; leave it out`,
      `${at}data.a: \${nmespace} is no placeholder; did you mean 'namespace'?; write $\${nmespace} for the text itself`,
    ]);
  });

  it("demands numbers in place of numbers in objects, which no placeholder is", () => {
    const text = deployment({}).replace('"replicas":1', `"replicas":"1\${member}"`);
    assert.deepEqual(mistakesOf(text), [
      `objects[0].file: "a.yaml" line 1 (Deployment 'tutor'): spec.replicas: must be a number, and '1\${member}' has a placeholder, which makes it a string`,
    ]);
  });

  it("demands texts in place of texts in objects, and no placeholders in keys", () => {
    const configMap = `
apiVersion: v1
kind: ConfigMap
metadata: { name: course }
data: { port: 8080, "\${member}.txt": x, same: same }
`;
    const inCourse = `objects[0].file: "a.yaml" line 2 (ConfigMap 'course'): `;
    assert.deepEqual(mistakesOf(configMap), [
      `${inCourse}data.\${member}.txt: has \${member} in a key; only values can have placeholders`,
      `${inCourse}data.port: must be a string; put it in quotation marks`,
    ]);
    const container = { name: "x", image: "x", args: ["sleep", 5], env: [{ name: "P", value: 80 }] };
    const csi = { driver: "x", volumeAttributes: { timeoutSeconds: "5", size: 1 } };
    const pod = { containers: [container], nodeSelector: { gpu: true }, volumes: [{ name: "x", csi }] };
    const spec = `objects[0].file: "a.yaml" line 1 (Deployment 'tutor'): spec.template.spec.`;
    const fields = [
      ...["containers[0].args[1]", "containers[0].env[0].value", "nodeSelector.gpu"],
      "volumes[0].csi.volumeAttributes.size",
    ];
    const lines = fields.map((field) => `${spec}${field}: must be a string; put it in quotation marks`);
    assert.deepEqual(mistakesOf(deployment(pod)), lines);
  });

  it("demands names of objects that the API server takes, as they are filled in", () => {
    const named = (name: string) => course.replace("name: course", `name: ${name}`);
    const lines = ["alice", "bob"].map(
      (member) =>
        `objects[0].file: "a.yaml" ConfigMap 'a..\${member}': metadata.name: 'a..${member}' can't be the name of a ConfigMap: a-z, 0-9 and '-', starting with a letter ('${member}')`,
    );
    assert.deepEqual(mistakesOf(named(`"a..\${member}"`)), lines);
    const job = deployment({}).replace("apps/v1", "batch/v1").replace("Deployment", "CronJob");
    const long = "b".repeat(48);
    const text = job
      .replace('"tutor"', `"${long}-\${member}"`)
      .replace(/"spec":(.*)}$/, '"spec":{"schedule":"@daily","jobTemplate":{"spec":$1}}}');
    assert.deepEqual(mistakesOf(text), [
      `objects[0].file: "a.yaml" CronJob '${long}-\${member}': metadata.name: '${long}-alice' has 54 characters; the name of a CronJob has 52 at most ('alice')`,
    ]);
  });

  it("refuses objects with a name of another one or of kubecamp's own", () => {
    const objects = [{ file: "a.yaml" }, { file: "b.yaml", for: { members: ["bob"] } }];
    assert.deepEqual(mistakes({ "a.yaml": course, "b.yaml": course }, { objects }), [
      `objects[1].file: "b.yaml" ConfigMap 'course': is in objects[0] already for the same member; rename one, or give them to different members ('bob')`,
    ]);
    assert.deepEqual(mistakesOf(course.replace("name: course", "name: starter-pages")), [
      `objects[0].file: "a.yaml" ConfigMap 'starter-pages': metadata.name: kubecamp itself has a ConfigMap 'starter-pages'; choose another name (2 members, such as 'alice')`,
    ]);
    assert.deepEqual(mistakesOf(course.replace("subject", "url")), [
      `objects[0].file: "a.yaml" ConfigMap 'course': has \${url}, and the member has no path; leave out such members in for, or the placeholder ('bob')`,
    ]);
  });

  it("refuses objects that lead out of the members' environments", () => {
    const at = (what: string) => `objects[0].file: "a.yaml" ${what}: `;
    const both = " (2 members, such as 'alice')";
    const pod = { nodeName: "node-1", priorityClassName: "high" };
    const spec = "spec.template.spec";
    assert.deepEqual(mistakesOf(deployment(pod)), [
      `${at("Deployment 'tutor'")}${spec}.priorityClassName: is not allowed for type 'user' (priorityClasses)${both}`,
      `${at("Deployment 'tutor'")}${spec}.nodeName: bypasses the scheduler; use nodeSelector${both}`,
    ]);
    const service = `{ apiVersion: v1, kind: Service, metadata: { name: x }, spec: { type: LoadBalancer, selector: { a: b }, ports: [{ port: 80 }] } }`;
    assert.deepEqual(mistakesOf(service), [
      `${at("Service 'x'")}spec.type: LoadBalancer leads out of the namespace or opens ports of the nodes; set ClusterIP${both}`,
    ]);
    const images = ["docker.io/library/nginx:1.*"];
    assert.deepEqual(mistakesOf(deployment({}), { images }), [
      `${at("Deployment 'tutor'")}${spec}.containers[0].image: 'tutor' is not among the member's images (docker.io/library/nginx:1.*)${both}`,
    ]);
  });

  it("takes copies as objects, of what no member could change", () => {
    const objects = [{ copy: "Secret platform/registry", for: { members: ["bob"] } }];
    const copy = { kind: "Secret", name: "registry", labels: {}, annotations: {}, content: {}, copyOf: "platform" };
    assert.deepEqual(given({}, { objects }), { alice: undefined, bob: [{ ...copy, index: 0, at: 0 }] });
    const wrong = [
      { copy: "Secret alice/registry" },
      { copy: "Deployment platform/registry" },
      { copy: "Secret platform/a", file: "a.yaml" },
      { for: {} },
      { copy: "ConfigMap platform/ca", imagePullSecret: true },
    ];
    assert.deepEqual(mistakesOf(course, { objects: wrong }), [
      `objects[0].copy: "Secret alice/registry" is in the namespace of member 'alice', who could change everybody's copies; copy it from a namespace of the platform`,
      `objects[1].copy: "Deployment platform/registry" must be 'Secret NAMESPACE/NAME', or a ConfigMap`,
      "objects[2].copy: is set beside file; write two entries",
      "objects[3]: has neither file nor copy; set one of them",
      "objects[4].imagePullSecret: is for copies of Secrets only; set copy, or leave it out",
    ]);
    const twice = [{ copy: "Secret platform/a" }, { copy: "Secret other/a", for: { members: ["bob"] } }];
    assert.deepEqual(mistakes({}, { objects: twice }), [
      `objects[1].copy: "Secret other/a" Secret 'a': is in objects[0] already for the same member; rename one, or give them to different members ('bob')`,
    ]);
  });

  const widget = `
apiVersion: example.org/v1
kind: Widget
metadata: { name: "of-\${member}" }
spec: { replicas: "\${member}", size: 3 }
`;
  const widgets = { apiVersion: "example.org/v1", kind: "Widget" };

  it("takes objects of custom kinds that the settings allow, whatever their fields are", () => {
    const allowing = (...objectKinds: readonly object[]) => ({
      objectKinds,
      objects: [{ file: "a.yaml", for: { members: ["bob"] } }],
    });
    const content = { spec: { replicas: "bob", size: 3 } };
    const named = { kind: "Widget.v1.example.org", name: "of-bob", labels: {}, annotations: {} };
    const object = { ...named, content, index: 0, at: 0 };
    assert.deepEqual(given({ "a.yaml": widget }, allowing(widgets)).bob, [object]);
    const irregular = given({ "a.yaml": widget }, allowing({ ...widgets, plural: "widgetses" })).bob;
    assert.deepEqual(irregular, [{ ...object, kind: "Widget.v1.example.org:widgetses" }]);
    // A kind of the same name as one of Kubernetes'.
    const knative = { apiVersion: "serving.knative.dev/v1", kind: "Service" };
    const text = widget.replace("example.org/v1", knative.apiVersion).replace("Widget", "Service");
    const [service] = given({ "a.yaml": text }, allowing(knative)).bob ?? [];
    assert.equal(service?.kind, "Service.v1.serving.knative.dev");
  });

  it("takes custom kinds in the allowed version alone, as members' own if they may write them", () => {
    const at = `objects[0].file: "a.yaml" line 2 (Widget 'of-\${member}'): `;
    assert.deepEqual(mistakesOf(widget.replace("/v1", "/v1beta1"), { objectKinds: [widgets] }), [
      `${at}apiVersion: must be example.org/v1, as in objectKinds`,
    ]);
    const objects = [{ file: "a.yaml", theirs: true }];
    assert.deepEqual(mistakesOf(widget, { objectKinds: [widgets], objects }), [
      `${at}kind: members may not write a Widget, so it can't be theirs; set edit: true for it in objectKinds`,
    ]);
    assert.deepEqual(mistakesOf(widget, { objectKinds: [{ ...widgets, edit: true }], objects }), []);
  });

  it("refuses custom kinds that would give rights or paths, or that are there twice", () => {
    const objectKinds = [
      ...["v1 ConfigMap", "apiextensions.k8s.io/v1 CustomResourceDefinition", "batch/v1 Job"],
      ...["gateway.networking.k8s.io/v1 HTTPRoute", "authorization.openshift.io/v1 RoleBinding"],
      ...["templates.gatekeeper.sh/v1 ConstraintTemplate", "metrics.k8s.io/v1 PodMetrics"],
      ...["example.org/v1 Widget", "example.org/v2 Widget", "example.org/v1 NetworkPolicy"],
    ].map((text) => {
      const [apiVersion = "", kind] = text.split(" ");
      return { apiVersion, kind };
    });
    const at = (index: number, kind: string, what: string) => `objectKinds[${index}].kind: "${kind}" ${what}`;
    const own = "is a kind that kubecamp itself creates from the settings; remove it";
    assert.deepEqual(mistakesOf(course, { objectKinds }), [
      at(0, "ConfigMap", "of v1 needs no entry: objects can have it, or a copy of it, without one; remove it"),
      at(1, "CustomResourceDefinition", "of apiextensions.k8s.io/v1 can't be given to members; remove it"),
      at(2, "Job", "of batch/v1 can't be changed after it is created; give a CronJob or a Deployment; remove it"),
      at(3, "HTTPRoute", `of gateway.networking.k8s.io/v1 ${own}`),
      at(4, "RoleBinding", "of authorization.openshift.io/v1 gives rights; remove it"),
      at(5, "ConstraintTemplate", "of templates.gatekeeper.sh/v1 decides about others' requests; remove it"),
      at(6, "PodMetrics", "of metrics.k8s.io/v1 can't be given to members; remove it"),
      at(8, "Widget", "is objectKinds[7] already; keep one of the two"),
      at(9, "NetworkPolicy", `of example.org/v1 ${own}`),
    ]);
    const wrongName = widget.replace(`of-\${member}`, "Of");
    assert.deepEqual(mistakesOf(wrongName, { objectKinds: [{ ...widgets, plural: "gadgets" }] }), [
      `objects[0].file: "a.yaml" Widget 'Of': metadata.name: 'Of' can't be the name of a Widget: a-z, 0-9 and '-', starting with a letter (2 members, such as 'alice')`,
    ]);
    const encrypted = mistakesIn({ members, objectKinds: [widgets] }, { isSecret: ([key]) => key === "objectKinds" });
    assert.deepEqual(encrypted, ["objectKinds: can't be encrypted; set it without --secret"]);
    const malformed = [
      { apiVersion: "example.org", kind: "Widget" },
      { apiVersion: "example.org/v1", kind: "widgets", plural: "Widgets" },
      { kind: "Widget" },
      "Widget",
      { apiVersion: "example-.org/v1", kind: "Widget" },
    ];
    assert.deepEqual(mistakesOf(course, { objectKinds: malformed }), [
      `objectKinds[0].apiVersion: "example.org" must be an API version, such as 'example.org/v1'`,
      `objectKinds[1].kind: "widgets" must be a kind, such as 'Widget'`,
      `objectKinds[1].plural: "Widgets" must be the name of a resource, such as 'widgets'`,
      "objectKinds[2].apiVersion: is missing: must be a text",
      `objectKinds[3]: "Widget" must be a custom kind: a map with apiVersion and kind`,
      `objectKinds[4].apiVersion: "example-.org/v1" must be an API version, such as 'example.org/v1'`,
    ]);
  });
});
