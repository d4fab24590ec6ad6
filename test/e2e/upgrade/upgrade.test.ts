import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { ca } from "../../unit/certificates.ts";
import { everything, nameOf } from "../program/inventory.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { makeNamespace, makeService } from "../program/workloads.ts";
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
  let version = "";
  let folder = "";

  before(async () => {
    const released = await releasedProject();
    ({ version, folder } = released);
    await stack.configure(members, settings);
    // Her Service is there before kubecamp is, so that one up opens her route.
    await makeNamespace(stack, "bea");
    await makeService(stack, "bea", "443:8443");
    const { exitCode, output } = await stack.run(["up", "--yes", "--skip-preview"], {}, released.project);
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
    const { preview, up } = await stack.previewedUp();
    const hint = `what was released has another name: give it an alias (docs/releasing.md); all that version ${version} leads to:`;
    // Only of the up are the steps known; a replacement is announced as `+-1 to replace`.
    assert.match(preview, /^Resources:$/m);
    const announced = preview.match(/^ +\D*\d+ to \w+$/gm) ?? [];
    assert.ok(announced.length > 0, preview);
    assert.deepEqual(
      announced.filter((line) => !/ to (create|update)$/.test(line)),
      [],
      `${hint} ${preview}`,
    );
    assert.equal(up.exitCode, 0, up.output);
    const all = up.steps.join(", ");
    assert.deepEqual(
      up.steps.filter((step) => !/^(create|update) /.test(step)),
      [],
      `${hint} ${all}`,
    );
    const after = await uids();
    assert.deepEqual(new Map([...before.keys()].map((name) => [name, after.get(name)])), before, all);
    const again = await stack.preview("--expect-no-changes");
    assert.equal(again.exitCode, 0, again.output);
  });
});
