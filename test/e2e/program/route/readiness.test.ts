import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { execa } from "execa";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { ownProcesses } from "../../support/engine/pluginRelay.ts";
import { type Entry, type Run, type TestStack, useStack } from "../stack.ts";
import { makeService, served } from "../workloads.ts";

const member = (name: string, readiness: object): Entry => ({ member: name, type: "user", route: { readiness } });
const gate = { mode: "gate" };
const wait = (timeoutSeconds: number) => ({ mode: "wait", timeoutSeconds });

interface Service {
  readonly metadata: { readonly uid: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly type: string;
    readonly clusterIP?: string;
    readonly selector?: object;
    readonly ports: readonly object[];
    readonly sessionAffinity: string;
  };
}

const serviceOf = (stack: TestStack, name: string) => stack.sandbox.get<Service>("service", `${name}-svc`, name);
const openPaths = (stack: TestStack) => stack.sandbox.names("ingress", { namespace: "ingress-nginx" });
describe("a Service that kubecamp makes", () => {
  const stack = useStack("managed");
  const kubectl = (...args: string[]) => stack.kubectl(...args);
  const all = (readiness: object) =>
    ["mia", "oli", "pia", "qui"]
      .map((name) => member(name, readiness))
      .concat(member("nia", { ...readiness, requires: "endpoints" }));
  const external = { type: "ExternalName", externalName: "secrets.elsewhere.svc", clusterIP: null, clusterIPs: null };

  let first: Run;
  let found: Service;

  before(async () => {
    const ports = [
      { name: "metrics", port: 9090 },
      { name: "web", port: 80, targetPort: 9000 },
      { name: "admin", port: 9091 },
    ];
    await served(stack, "oli", { selector: { tier: "front" }, sessionAffinity: "ClientIP", ports });
    await served(stack, "pia", {
      type: "ExternalName",
      externalName: "secrets.elsewhere.svc",
      selector: null,
      ports: null,
    });
    await served(stack, "qui", { selector: { app: "qui" }, clusterIP: "None", ports: [{ port: 80 }] });
    found = await serviceOf(stack, "oli");
    await stack.configure(all({ mode: "managed" }));
    first = await stack.upFine();
  });

  it("is there before the route, and leads to the pods that a member's Deployment has", async () => {
    assert.deepEqual(
      first.steps.filter((step) => / mia\/(service|route)(\/|$)/.test(step)),
      [
        "create kubernetes:core/v1:Service mia/service",
        "create kubernetes:core/v1:Service mia/route/service",
        "create kubernetes:networking.k8s.io/v1:Ingress mia/route/ingress",
      ],
    );
    const { type, selector, ports } = (await serviceOf(stack, "mia")).spec;
    assert.deepEqual(
      { type, selector, ports },
      {
        type: "ClusterIP",
        selector: { app: "mia" },
        ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080 }],
      },
    );
  });

  it("takes over members' Services by field, mends what is unfit, and says what it can't mend", async () => {
    const { output } = first;
    const { metadata, spec } = await serviceOf(stack, "oli");
    assert.deepEqual(spec, found.spec);
    assert.equal(metadata.uid, found.metadata.uid);
    assert.equal(metadata.labels?.["kubecamp.dev/member"], "oli");
    const pia = (await serviceOf(stack, "pia")).spec;
    assert.equal(pia.type, "ClusterIP");
    assert.notEqual(pia.clusterIP ?? "", "");
    assert.deepEqual(pia.selector, { app: "pia" });
    assert.match(output, /oli\/oli-svc as it is/);
    assert.match(output, /pia\/pia-svc with type ClusterIP instead of ExternalName, selector app=pia, port 80\/TCP/);
    assert.match(output, /qui: Service 'qui-svc' is headless \(clusterIP: None\), which nobody can change; delete it/);
    assert.match(output, /nia: no pod behind port 80 of Service 'nia-svc' is ready/);
    assert.deepEqual(await openPaths(stack), ["mia", "oli", "pia"]);
  });

  it("is made anew or mended where it has to be, and is led to once a pod is ready", async () => {
    await kubectl("create", "deployment", "nia", "--image=web", "-n", "nia");
    await kubectl("wait", "--for=condition=Available", "deployment/nia", "--timeout=60s", "-n", "nia");
    await kubectl(
      "wait",
      "--for=jsonpath={.endpoints[0].conditions.ready}=true",
      "--timeout=60s",
      "-n",
      "nia",
      "endpointslice",
      "-l",
      "kubernetes.io/service-name=nia-svc",
    );
    const before = await serviceOf(stack, "mia");
    await stack.delete("service", "mia-svc", "mia");
    const patch = (name: string, spec: object) => {
      const args = ["patch", "service", `${name}-svc`, "-n", name, "--type=merge", "-p", JSON.stringify({ spec })];
      return stack.beforePolicies(name, args);
    };
    await patch("pia", external);
    await patch("oli", { selector: { tier: "back" } });
    const theirs = await serviceOf(stack, "oli");
    await stack.configure(all({ mode: "managed", targetPort: 3000 }));
    const { output, steps } = await stack.upFine();
    // Values of the old settings that the member has not changed follow the new settings.
    for (const name of ["mia", "nia"]) {
      assert.deepEqual((await serviceOf(stack, name)).spec.ports, [
        { name: "http", port: 80, protocol: "TCP", targetPort: 3000 },
      ]);
    }
    assert.deepEqual(
      steps.filter((step) => / (nia|mia|qui)\/route/.test(step)),
      [
        "create kubernetes:core/v1:Service nia/route/service",
        "create kubernetes:networking.k8s.io/v1:Ingress nia/route/ingress",
      ],
    );
    assert.match(output, /Deleted by hand[\s\S]*Service mia\/mia-svc/);
    assert.notEqual((await serviceOf(stack, "mia")).metadata.uid, before.metadata.uid);
    assert.equal((await serviceOf(stack, "pia")).spec.type, "ClusterIP");
    // Nor has the run taken anything of it that it does not declare.
    assert.deepEqual((await serviceOf(stack, "oli")).spec, theirs.spec);
    assert.deepEqual(await openPaths(stack), ["mia", "nia", "oli", "pia"]);
    assert.deepEqual((await stack.upFine()).steps, []);
  });

  it("is one member's trouble where they have made one that nothing can be added to", async () => {
    const file = join(stack.folder, "full.json");
    // All that a Service's annotations may be, but for a few bytes.
    const metadata = { name: "mia-svc", namespace: "mia", annotations: { fill: "x".repeat(262_100) } };
    const spec = { selector: { app: "mia" }, ports: [{ name: "http", port: 80, targetPort: 3000 }] };
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "Service", metadata, spec }));
    await stack.delete("service", "mia-svc", "mia");
    await stack.beforePolicies("mia", ["create", "-f", file]);
    await stack.delete("service", "pia-svc", "pia");
    const { output, steps } = await stack.upPreviewed();
    assert.match(
      output,
      /mia: Service 'mia-svc' has so many annotations or labels that nothing can be added; take some off \('kubectl edit/,
    );
    assert.deepEqual(await openPaths(stack), ["nia", "oli", "pia"]);
    assert.ok(
      steps.some((step) => step.endsWith(" pia/service")),
      steps.join("\n"),
    );
    await stack.delete("service", "mia-svc", "mia");
    await stack.upFine();
    assert.deepEqual(await openPaths(stack), ["mia", "nia", "oli", "pia"]);
  });
});

describe("an up that waits", () => {
  const stack = useStack("waiting");
  /** The run has read the cluster by the time at which it makes a new member's namespace. */
  const begun = (name: string) => stack.kubectl("wait", "--for=create", "--timeout=60s", `namespace/${name}`);

  before(() => served(stack, "ada"));

  it("opens the routes of all whose Service comes in time, and fails those alone whose does not", async () => {
    await stack.configure([
      member("ada", wait(1)),
      member("ben", wait(60)),
      member("cyn", wait(1)),
      member("dee", wait(1)),
      member("fay", gate),
    ]);
    const [{ preview, up }] = await Promise.all([
      // Without the flag, Pulumi may stop at the first failure before it has begun the second.
      stack.previewedUp("--continue-on-error"),
      begun("ben").then(() => makeService(stack, "ben")),
    ]);
    assert.match(preview, /ben: no Service 'ben-svc' in namespace 'ben' \('pulumi up' waits up to 60 s for it\)/);
    assert.match(preview, /^ \+ +kubernetes:networking\.k8s\.io\/v1:Ingress ben\/route\/ingress create/m);
    const { exitCode, output, steps } = up;
    assert.notEqual(exitCode, 0);
    const [, diagnostics = ""] = /^Diagnostics:$(.*?)^Outputs:$/ms.exec(output) ?? [];
    for (const name of ["cyn", "dee"]) {
      // Once, and not in the warning as well, where those are who wait for the next run.
      assert.deepEqual(
        diagnostics
          .match(new RegExp(`'?${name}'?: no Service .*`, "g"))
          ?.map((reported) => reported.replace(/'\).*/, "")),
        [
          `'${name}': no Service '${name}-svc' in namespace '${name}', after 1 s (route.readiness.timeoutSeconds, mode: wait); ` +
            `have them make it ('kubectl create service clusterip ${name}-svc --tcp=80:8080 -n ${name}`,
        ],
      );
    }
    assert.match(diagnostics, /A route is pending, .*\n +fay: no Service 'fay-svc' in namespace 'fay'\n/);
    assert.deepEqual(await openPaths(stack), ["ada", "ben"]);
    for (const made of ["dee/binding/edit", "fay/binding/edit", "ben/others/view"]) {
      assert.ok(
        steps.some((step) => step.startsWith("create ") && step.endsWith(` ${made}`)),
        made,
      );
    }
  });

  it("closes what has become unfit at once, and waits for nobody in that run", async () => {
    await stack.delete("service", "ada-svc", "ada");
    const { output } = await stack.upFine();
    assert.match(
      output,
      /cyn: no Service 'cyn-svc' in namespace 'cyn' \(not waited for, since this run takes something away/,
    );
    assert.deepEqual(await openPaths(stack), ["ben"]);
  });

  it("ends when it is cancelled", async () => {
    await stack.configure(["ada", "ben", "cyn", "dee", "fay", "gil"].map((name) => member(name, wait(3000))));
    const args = stack.flags(["up", "--yes", "--skip-preview", "--non-interactive"]);
    const child = execa("pulumi", args, {
      cwd: repository,
      env: { ...stack.sandbox.env, ...ownProcesses },
      reject: false,
    });
    await begun("gil");
    child.kill("SIGINT");
    assert.notEqual((await child).exitCode, 0);
    const left = async () => (await execa("ps", ["-eo", "args"])).stdout.includes(`--stack ${stack.name} `);
    while (await left()) {
      await setTimeout(200);
    }
    await stack.configure([]);
  });
});
