import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import { ownProcesses } from "../../support/engine/pluginRelay.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { makeService, served } from "../workloads.ts";

const member = (name: string, readiness: object): Entry => ({ member: name, type: "user", route: { readiness } });
const gate = { mode: "gate" };
const wait = (timeoutSeconds: number) => ({ mode: "wait", timeoutSeconds });
/** Members whose Service kubecamp makes. */
const managed = (more: object = {}) =>
  ["mia", "oli", "pia", "qui"]
    .map((name) => member(name, { mode: "managed", ...more }))
    .concat(member("nia", { mode: "managed", ...more, requires: "endpoints" }));
/** Members for whom the up waits, but for fay. */
const waiting = [member("ada", wait(1)), member("ben", wait(60)), member("cyn", wait(1)), member("dee", wait(1))];
const fay = member("fay", gate);
const external = { type: "ExternalName", externalName: "secrets.elsewhere.svc" };

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

describe("readiness", () => {
  const stack = useStack("readiness");
  const serviceOf = (name: string) => stack.sandbox.get<Service>("service", `${name}-svc`, name);
  const openPaths = () => stack.sandbox.names("ingress", { namespace: "ingress-nginx" });
  /** The run has read the cluster by the time at which it makes a new member's namespace. */
  const begun = (name: string) => stack.kubectl("wait", "--for=create", "--timeout=60s", `namespace/${name}`);
  let preview: string;
  let first: Run;
  let found: Service;

  before(async () => {
    const ports = [
      { name: "metrics", port: 9090 },
      { name: "web", port: 80, targetPort: 9000 },
      { name: "admin", port: 9091 },
    ];
    await served(stack, "oli", { selector: { tier: "front" }, sessionAffinity: "ClientIP", ports });
    await served(stack, "pia", { ...external, selector: null, ports: null });
    await served(stack, "qui", { selector: { app: "qui" }, clusterIP: "None", ports: [{ port: 80 }] });
    await served(stack, "ada");
    found = await serviceOf("oli");
    await stack.configure([...managed(), ...waiting, fay]);
    const [run] = await Promise.all([
      // Without the flag, Pulumi may stop at the first failure before it has begun the second.
      stack.previewedUp("--continue-on-error"),
      begun("ben").then(() => makeService(stack, "ben")),
    ]);
    preview = run.preview;
    first = run.up;
  });

  it("makes a Service before the route, for the pods of a member's Deployment", async () => {
    assert.deepEqual(
      first.steps.filter((step) => / mia\/(service|route)(\/|$)/.test(step)),
      [
        "create kubernetes:core/v1:Service mia/service",
        "create kubernetes:core/v1:Service mia/route/service",
        "create kubernetes:networking.k8s.io/v1:Ingress mia/route/ingress",
      ],
    );
    const { type, selector, ports } = (await serviceOf("mia")).spec;
    assert.deepEqual(
      { type, selector, ports },
      {
        type: "ClusterIP",
        selector: { app: "mia" },
        ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080 }],
      },
    );
  });

  it("takes over members' Services by field, mends unfit ones, and says what it can't mend", async () => {
    const { output } = first;
    const { metadata, spec } = await serviceOf("oli");
    assert.deepEqual(spec, found.spec);
    assert.equal(metadata.uid, found.metadata.uid);
    assert.equal(metadata.labels?.["kubecamp.dev/member"], "oli");
    const pia = (await serviceOf("pia")).spec;
    assert.equal(pia.type, "ClusterIP");
    assert.notEqual(pia.clusterIP ?? "", "");
    assert.deepEqual(pia.selector, { app: "pia" });
    assert.match(output, /oli\/oli-svc as it is/);
    assert.match(output, /pia\/pia-svc with type ClusterIP instead of ExternalName, selector app=pia, port 80\/TCP/);
    assert.match(output, /qui: Service 'qui-svc' is headless/);
    assert.match(output, /nia: no pod behind port 80 of Service 'nia-svc' is ready/);
  });

  it("lists a member with the run's reason where the route requires ready pods", async () => {
    const { stdout } = await kubecamp(["members", "-o", "json"], { env: stack.sandbox.env, cwd: stack.folder });
    const listed = JSON.parse(stdout) as { member: string; state: string; reason: string | null }[];
    const { state, reason } = listed.find(({ member }) => member === "nia") ?? assert.fail(stdout);
    assert.equal(state, "pending");
    assert.match(reason ?? "", /^no pod behind port 80 of Service 'nia-svc' is ready; see 'kubectl get pods -n nia /);
    assert.ok(first.output.includes(`nia: ${reason}`), first.output);
  });

  it("opens the routes of all whose Service comes in time, and fails those alone whose does not", async () => {
    assert.match(preview, /ben: no Service 'ben-svc' in namespace 'ben' \('pulumi up' waits up to 60 s for it\)/);
    assert.match(preview, /^ \+ +kubernetes:networking\.k8s\.io\/v1:Ingress ben\/route\/ingress create/m);
    const { exitCode, output, steps } = first;
    assert.notEqual(exitCode, 0);
    const [, diagnostics = ""] = /^Diagnostics:$(.*?)^Outputs:$/ms.exec(output) ?? [];
    for (const name of ["cyn", "dee"]) {
      // Once, and not in the warning as well, where those are who wait for the next run.
      const reported = diagnostics.match(new RegExp(`'?${name}'?: no Service .*`, "g")) ?? [];
      assert.equal(reported.length, 1, diagnostics);
      assert.match(
        reported[0] ?? "",
        /, after 1 s \(route\.readiness\.timeoutSeconds, mode: wait\); have them make it/,
      );
    }
    assert.match(diagnostics, /\n +fay: no Service 'fay-svc' in namespace 'fay'\n/);
    assert.deepEqual(await openPaths(), ["ada", "ben", "mia", "oli", "pia"]);
    for (const made of ["dee/binding/edit", "fay/binding/edit", "ben/others/view"]) {
      assert.ok(
        steps.some((step) => step.startsWith("create ") && step.endsWith(` ${made}`)),
        made,
      );
    }
  });

  it("makes and mends Services, and closes paths at once, without a wait in that run", async () => {
    await stack.kubectl("create", "deployment", "nia", "--image=web", "-n", "nia");
    const ready = ["wait", "--for=jsonpath={.endpoints[0].conditions.ready}=true", "--timeout=60s", "-n", "nia"];
    await stack.kubectl("wait", "--for=condition=Available", "deployment/nia", "--timeout=60s", "-n", "nia");
    await stack.kubectl(...ready, "endpointslice", "-l", "kubernetes.io/service-name=nia-svc");
    const before = await serviceOf("mia");
    await stack.delete("service", "mia-svc", "mia");
    await stack.delete("service", "ada-svc", "ada");
    const patch = (name: string, spec: object) => {
      const args = ["patch", "service", `${name}-svc`, "-n", name, "--type=merge", "-p", JSON.stringify({ spec })];
      return stack.beforePolicies(name, args);
    };
    await patch("pia", { ...external, clusterIP: null, clusterIPs: null });
    await patch("oli", { selector: { tier: "back" } });
    const theirs = await serviceOf("oli");
    await stack.configure([...managed({ targetPort: 3000 }), ...waiting, fay]);
    const { output, steps } = await stack.upFine();
    // Values of the old settings that the member has not changed follow the new settings.
    for (const name of ["mia", "nia"]) {
      assert.deepEqual((await serviceOf(name)).spec.ports, [
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
    assert.notEqual((await serviceOf("mia")).metadata.uid, before.metadata.uid);
    assert.equal((await serviceOf("pia")).spec.type, "ClusterIP");
    // Nor has the run taken anything of it that it does not declare.
    assert.deepEqual((await serviceOf("oli")).spec, theirs.spec);
    assert.match(output, /cyn: no Service 'cyn-svc' in namespace 'cyn' \(not waited for, since this run takes/);
    assert.deepEqual(await openPaths(), ["ben", "mia", "nia", "oli", "pia"]);
  });

  it("closes only the path of a member whose Service nothing can be added to", async () => {
    const file = join(stack.folder, "full.json");
    // All that a Service's annotations may be, but for a few bytes.
    const metadata = { name: "mia-svc", namespace: "mia", annotations: { fill: "x".repeat(262_100) } };
    const spec = { selector: { app: "mia" }, ports: [{ name: "http", port: 80, targetPort: 3000 }] };
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "Service", metadata, spec }));
    await stack.delete("service", "mia-svc", "mia");
    await stack.beforePolicies("mia", ["create", "-f", file]);
    await stack.delete("service", "pia-svc", "pia");
    const gated = ["ada", "ben", "cyn", "dee"].map((name) => member(name, gate));
    await stack.configure([...managed({ targetPort: 3000 }), ...gated, fay]);
    const { output, steps } = await stack.upPreviewed();
    assert.match(output, /mia: Service 'mia-svc' has so many annotations or labels that nothing can be added/);
    assert.deepEqual(await openPaths(), ["ben", "nia", "oli", "pia"]);
    // Nothing is left to do for those whose Service the run before has mended or left as it is.
    assert.deepEqual(
      steps.filter((step) => !/ (mia|pia)(\/|$)/.test(step)),
      [],
    );
    assert.ok(
      steps.some((step) => step.endsWith(" pia/service")),
      steps.join("\n"),
    );
  });

  it("ends an up that waits for Services once it is cancelled", async () => {
    const all = ["ada", "ben", "cyn", "dee", "fay", "gil"].map((name) => member(name, wait(3000)));
    await stack.configure([...managed({ targetPort: 3000 }), ...all]);
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
  });
});
