import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { kubecamp } from "../commands/kubecamp.ts";
import { inside } from "../isolation/hostile/attempt.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { type Caller, signedIn } from "../support/signIn/signedIn.ts";
import { RunningWatch } from "./runningWatch.ts";

const cs101 = { labels: { course: "cs101" } };
const staff = [
  { group: "ta-cs101", role: "assist", over: cs101 },
  { subject: "vera", role: "view", over: cs101 },
];
const settings = { membersFile: "members.yaml", staff };
const ada: Entry = { member: "ada", type: "user", route: false, ...cs101 };
const bob: Entry = { member: "bob", type: "user", route: false };
const zoe: Entry = { member: "zoe", type: "user", route: false, ...cs101 };

describe("staff of a stack", () => {
  const stack = useStack("school");
  let tom: Caller;
  let vera: Caller;
  let watch: RunningWatch | undefined;

  const members = (...entries: readonly Entry[]) => writeFile(join(stack.folder, "members.yaml"), stringify(entries));
  const status = async (who: Caller, namespace: string) => (await who.ask("GET", inside(namespace, "pods"))).status;
  const reaches = async (who: Caller, namespace: string) => (await status(who, namespace)) === 200;
  const bindings = (namespace: string) => stack.sandbox.names("rolebinding", { namespace });

  before(async () => {
    await stack.makeProject();
    await stack.configure(undefined, settings);
    await members(ada, bob);
    tom = await signedIn(stack.sandbox, { sub: "tom", groups: ["ta-cs101"] });
    vera = await signedIn(stack.sandbox, { sub: "vera", groups: [] });
    watch = await RunningWatch.start(stack);
    await watch.ready();
  });
  after(() => watch?.end("SIGKILL"));
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  describe("that the watch keeps", () => {
    it("get back a RoleBinding or a Role that somebody has deleted", async () => {
      assert.deepEqual([await status(tom, "ada"), await status(tom, "bob")], [200, 403]);
      await stack.delete("rolebinding", "kubecamp:staff-assist", "ada");
      await watch?.reported("drift repaired", { member: "ada", object: "RoleBinding ada/kubecamp:staff-assist" });
      await until(() => reaches(tom, "ada"));
      await stack.delete("role", "kubecamp:staff-view", "ada");
      await watch?.reported("drift repaired", { member: "ada", object: "Role ada/kubecamp:staff-view" });
      await until(() => reaches(vera, "ada"));
    });

    it("get no stranger beside them whom somebody has bound by hand", async () => {
      const stranger = [{ op: "add", path: "/subjects/-", value: { kind: "User", name: "oidc:eve" } }];
      const name = "kubecamp:staff-view";
      await stack.sandbox.patch("rolebinding", name, "ada", stranger);
      const binding = () => stack.sandbox.get("rolebinding", name, "ada");
      await until(async () => !JSON.stringify(await binding()).includes("oidc:eve"));
    });

    it("get in where a new member, or one who was there, has their label, and out where it goes", async () => {
      await members(ada, { ...bob, ...cs101 }, zoe);
      for (const namespace of ["bob", "zoe"]) {
        await until(async () => (await reaches(tom, namespace)) && (await reaches(vera, namespace)));
      }
      await members(ada, bob, { ...zoe, suspended: true });
      await until(async () => (await status(tom, "bob")) === 403 && (await status(vera, "bob")) === 403);
      await until(async () => (await bindings("zoe")).join(" ") === "kubecamp:staff-assist kubecamp:staff-view");
      assert.deepEqual([await status(tom, "zoe"), await bindings("bob")], [200, ["kubecamp-edit"]]);
    });
  });

  describe("whose state is lost", () => {
    it("takes access that staff lost meanwhile away, by kubecamp up", async () => {
      assert.equal(await watch?.end("SIGTERM"), 0, watch?.output);
      await stack.loseState();
      await stack.configure(undefined, { ...settings, staff: staff.slice(1) });
      const surroundings = { cwd: stack.folder, env: stack.sandbox.env };
      const { exitCode, stdout, stderr } = await kubecamp(["up", "--stack", stack.name], surroundings);
      assert.equal(exitCode, 0, stdout + stderr);
      assert.deepEqual([await status(tom, "ada"), await status(vera, "ada")], [403, 200]);
      assert.deepEqual(await bindings("ada"), ["kubecamp-edit", "kubecamp:staff-view"]);
    });
  });
});
