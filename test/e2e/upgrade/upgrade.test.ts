import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { ca } from "../../unit/certificates.ts";
import { everything, nameOf } from "../program/inventory.ts";
import { type Entry, type Run, useStack } from "../program/stack.ts";
import { makeService } from "../program/workloads.ts";
import { releasedProject } from "./releasedProject.ts";

const managed = { readiness: { mode: "managed" } };

/** One of each sort, so that there is every kind of object that an ingress controller needs. */
const members: readonly Entry[] = [
  { member: "ada", type: "admin", groups: ["teachers"] },
  { member: "bea", type: "user", maxCPUm: 1500, numOfPVCs: 2, adopt: true },
  { member: "cai", type: "guest-user", suspended: true },
  { member: "dee", type: "user", route: managed, images: ["docker.io/library/nginx:1.*"] },
  { member: "eli", type: "user", route: false, expires: "2020-01-01" },
  { member: "fay", type: "lab", network: { egress: [{ cidr: "10.20.0.0/16", ports: [5432] }] }, route: managed },
];
const settings = {
  route: { host: "camp.test", rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } },
  memberTypes: { lab: { home: "view", others: "none", quota: false, podSecurity: "restricted" } },
  network: { ingress: [{ namespace: "monitoring", ports: [9100] }], nodeLocalDns: ["169.254.20.10"] },
};

describe("an upgrade from the last release", () => {
  const stack = useStack("upgrade");
  const up = ["up", "--yes", "--skip-preview"];
  let version = "";
  let folder = "";

  before(async () => {
    const released = await releasedProject();
    ({ version, folder } = released);
    await stack.configure(members, settings);
    // Her Service is there before kubecamp is, so that one up opens her route.
    await stack.kubectl("create", "namespace", "bea");
    await makeService(stack, "bea", "443:8443");
    const { exitCode, output } = await stack.run(up, {}, released.project);
    assert.equal(exitCode, 0, `version ${version}: ${output}`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** UIDs of the stack's objects. */
  const uids = async () => {
    const ours = (await everything(stack.sandbox)).filter(
      ({ metadata }) => metadata.labels?.["kubecamp.dev/stack"] === stack.name,
    );
    return new Map(ours.map((object) => [nameOf(object), object.metadata.uid]));
  };

  it("replaces nothing, deletes nothing, and leaves every object the one it was", async () => {
    const before = await uids();
    const routes = [...before.keys()].filter((name) => /^(Ingress|Secret|Service) /.test(name)).sort();
    assert.deepEqual(routes, [
      "Ingress ingress-nginx/bea",
      "Ingress ingress-nginx/dee",
      "Ingress ingress-nginx/fay",
      "Secret ingress-nginx/kubecamp-backend-ca-upgrade",
      "Service dee/dee-svc",
      "Service fay/fay-svc",
      "Service ingress-nginx/bea-svc",
      "Service ingress-nginx/dee-svc",
      "Service ingress-nginx/fay-svc",
    ]);
    const harmless = ({ exitCode, output, steps }: Run) => {
      assert.equal(exitCode, 0, output);
      const lost = steps.filter((step) => !/^(create|update) /.test(step));
      const all = `all that version ${version} leads to: ${steps.join(", ")}`;
      assert.deepEqual(lost, [], `what was released has another name: give it an alias (docs/releasing.md); ${all}`);
    };
    harmless(await stack.preview());
    const applied = await stack.run(up);
    harmless(applied);
    const after = await uids();
    assert.deepEqual(
      new Map([...before.keys()].map((name) => [name, after.get(name)])),
      before,
      applied.steps.join(", "),
    );
    const again = await stack.preview("--expect-no-changes");
    assert.equal(again.exitCode, 0, again.output);
  });
});
