import assert from "node:assert/strict";
import { everything, type LiveObject, nameOf } from "./inventory.ts";
import { type Entry, useStack } from "./stack.ts";

const fay: Entry = { member: "fay", type: "user" };

describe("drift", function () {
  this.timeout(120_000);
  const stack = useStack("drift");
  let whole: Map<string, unknown>;
  const kubectl = (...args: string[]) => stack.sandbox.kubectl(args);
  /** What we declare of each object, as it is live. */
  const live = async () => {
    const ours = (it: LiveObject) => it.metadata.labels?.["kubecamp.dev/stack"] === "drift";
    const content = ({ metadata, spec, rules, subjects, roleRef }: LiveObject) => ({
      labels: metadata.labels,
      spec,
      rules,
      subjects,
      roleRef,
    });
    return new Map((await everything(stack.sandbox)).filter(ours).map((it) => [nameOf(it), content(it)]));
  };

  before(async () => {
    await stack.configure([fay]);
    await stack.upFine();
    await kubectl("create", "service", "clusterip", "fay-svc", "--tcp=80:8080", "-n", "fay");
    await stack.upFine();
    whole = await live();
  });

  it("is put back by an up with --refresh: what somebody deleted", async () => {
    await kubectl("delete", "networkpolicy", "isolation", "-n", "fay");
    await kubectl("delete", "ingress", "fay", "-n", "ingress-nginx");
    await kubectl("delete", "clusterrolebinding", "kubecamp:drift:fay:view");
    await stack.upFine("--refresh");
    assert.deepEqual(await live(), whole);
  });

  it("is put back by an up with --refresh: what somebody edited, though the fields are theirs by now", async () => {
    const patch = (kind: string, name: string, namespace: string, change: object) =>
      kubectl("patch", kind, name, "-n", namespace, "--type=merge", "-p", JSON.stringify(change));
    await patch("resourcequota", "quota", "fay", { spec: { hard: { "limits.cpu": "64" } } });
    await patch("role", "kubecamp-edit", "fay", { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] });
    await patch("networkpolicy", "isolation", "fay", { spec: { ingress: [{}] } });
    await patch("service", "fay-svc", "ingress-nginx", { spec: { externalName: "elsewhere.example.org" } });
    const preview = await stack.preview("--refresh");
    assert.match(preview.output, /4 to update/);
    await stack.upFine("--refresh");
    assert.deepEqual(await live(), whole);
  });

  it("is put back by an up with --refresh: a whole namespace", async () => {
    await kubectl("delete", "namespace", "fay");
    await stack.upFine("--refresh");
    // The member's Service went with it, so the route is pending again.
    const home = [...whole.keys()].filter((name) => !name.includes("ingress-nginx/"));
    assert.deepEqual([...(await live()).keys()].sort(), home.sort());
  });
});
