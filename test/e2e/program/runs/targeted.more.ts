import assert from "node:assert/strict";
import { kubecamp } from "../../commands/kubecamp.ts";
import { type Entry, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { hasNamespace, makeNamespace, makeService } from "../workloads.ts";

const ana: Entry = { member: "ana", type: "user" };
const ben: Entry = { member: "ben", type: "user" };
/** Has the name of what the stack's members share. */
const shared: Entry = { member: "access", type: "guest-user" };
const zed: Entry = { member: "zed", type: "user" };

const pending = (reason: string, type = "user", namespace = "") => ({ type, namespace, state: "pending", reason });
const ready = (namespace: string, type = "user") => ({
  type,
  namespace,
  state: "ready",
  url: `https://camp.test/${namespace}/`,
});

describe("an up that targets members", () => {
  const stack = useStack("aimed");
  const upOf = async (...names: readonly string[]) => {
    const members = names.flatMap((name) => ["--member", name]);
    const args = ["up", "--stack", stack.name, "--folder", stack.folder, ...members];
    const { exitCode, stdout, stderr } = await kubecamp(args, { env: stack.sandbox.env });
    assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
  };
  const statuses = async () => ((await stack.outputs()) as { members: unknown }).members;

  before(async () => {
    await stack.makeProject();
    await stack.configure([ana, ben, shared]);
    await stack.upFine();
    await Promise.all([makeService(stack, "ana"), makeService(stack, "ben"), makeService(stack, "access")]);
  });
  after(() => stack.sandbox.remove("/api/v1/namespaces/zed"));

  it("opens only targeted members' routes, with outputs that are true of all", async () => {
    await makeNamespace(stack, "zed");
    await stack.configure([ana, ben, shared, zed]);
    assert.deepEqual(await touchedBy(stack, () => upOf("ben", "access")), [
      "Ingress ingress-nginx/access",
      "Ingress ingress-nginx/ben",
      "Service ingress-nginx/access-svc",
      "Service ingress-nginx/ben-svc",
    ]);
    assert.deepEqual(await statuses(), {
      access: ready("access", "guest-user"),
      ana: pending("opens with the next run", "user", "ana"),
      ben: ready("ben"),
      zed: pending("no Service 'zed-svc' in namespace 'zed'", "user", "zed"),
    });
  });

  it("closes only targeted members' routes, and leaves alone who has left the list", async () => {
    await stack.delete("service", "ben-svc", "ben");
    await stack.delete("service", "access-svc", "access");
    await stack.configure([ben, shared]);
    assert.deepEqual(await touchedBy(stack, () => upOf("ben")), [
      "Ingress ingress-nginx/ben",
      "Service ingress-nginx/ben-svc",
    ]);
    assert.deepEqual(await statuses(), {
      access: pending("no Service 'access-svc' in namespace 'access'", "guest-user", "access"),
      ben: pending("no Service 'ben-svc' in namespace 'ben'", "user", "ben"),
    });
    assert.equal(await hasNamespace(stack, "ana"), true);
  });
});
