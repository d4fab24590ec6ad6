import assert from "node:assert/strict";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { RunningWatch } from "../watch/runningWatch.ts";
import { inUseUntil, MetVerify, madeBy, RunningVerify, removes } from "./runningVerify.ts";

const ada: Entry = { member: "ada", type: "user" };
const gus: Entry = { member: "gus", type: "guest-user", images: ["nginx"] };
const future = new Date(Date.now() + 3_600_000);
const past = new Date(0);

const lists = [
  "members",
  "members -o wide",
  "members -o json",
  "members -o html",
  "members --by type",
  "members show ada",
  "members check",
  "images --stack STACK",
];
const runs = ["report --stack STACK -o json", "up --stack STACK", "up --stack STACK --all --refresh -o json"];

/** Times and durations. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d\d:\d\d(:\d\d(\.\d+)?)?/g, "TIME").replaceAll(/\d+(\.\d+)? ?(ms|s)\b/g, "DURATION");

const namespacesIn = (made: readonly string[]) => made.flatMap((each) => each.match(/^namespaces\/(.*)/)?.[1] ?? []);

describe("the members of a verification", () => {
  // Before the stack goes: the watch would bring it up again.
  after(async () => {
    await watch?.end("SIGTERM");
    await met.stop();
  });
  const stack = useStack("unseen");
  const met = new MetVerify(stack);
  let watch: RunningWatch | undefined;

  /** What commands print, which all succeed. */
  const outputs = async (commands: readonly string[]) => {
    const all: [string, string][] = [];
    for (const command of commands) {
      const args = command.replace("STACK", stack.name).split(" ");
      const { exitCode, stdout, stderr } = await kubecamp(args, { cwd: stack.folder, env: stack.sandbox.env });
      assert.equal(exitCode, 0, stderr);
      all.push([command, withoutTimes(stdout + stderr)]);
    }
    return Object.fromEntries(all);
  };
  /** Leaves what a verification that is killed leaves, once all is made. */
  const killed = async () => {
    const made = await met.kill(removes, { flags: ["--only", "sign-in"] });
    assert.equal(namespacesIn(made).length, 4);
    return made;
  };

  before(async () => {
    await stack.makeProject();
    await stack.configure([ada, gus], { offboarding: { maxRemovals: 0 } });
    await stack.upFine();
    await met.start();
  });

  it("are shown by no command, and are no removal, while they are there and while they go", async () => {
    const before = await outputs([...lists, ...runs]);
    const made = await killed();
    await inUseUntil(stack, future);
    assert.deepEqual(await outputs([...lists, ...runs]), before);
    assert.deepEqual(await madeBy(stack), made);
    for (const namespace of namespacesIn(made)) {
      const metadata = { name: "hold", namespace, finalizers: ["test.example.org/hold"] };
      await stack.sandbox.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
      await stack.sandbox.remove(await stack.sandbox.pathTo("namespace", namespace));
    }
    assert.deepEqual({ ...before, ...(await outputs([...lists, "up --stack STACK"])) }, before);
  });

  it("are in no metric and no line of the watch", async () => {
    watch = await RunningWatch.start(stack);
    await watch.ready();
    const { text } = await watch.ask("/metrics");
    const counted = text.match(/^kubecamp_(members|namespaces_terminating)\{.*[1-9]$/gm);
    assert.deepEqual(counted, ['kubecamp_members{state="pending"} 2']);
    assert.doesNotMatch(watch.output, /kubecamp-verify/);
    const held = namespacesIn(await madeBy(stack));
    assert.equal(held.length, 4);
    for (const namespace of held) {
      await stack.sandbox.patch("configmap", "hold", namespace, { metadata: { finalizers: [] } });
    }
    await until(async () => namespacesIn(await madeBy(stack)).length === 0);
  });

  it("are removed by the watch once nobody renews them, but not before", async () => {
    assert.ok(watch);
    const made = await killed();
    await inUseUntil(stack, future);
    const { length } = watch.lines;
    await stack.configure([{ ...ada, numOfPVCs: 1 }, gus]);
    await watch.reported("up ended", { result: "succeeded" }, length);
    assert.deepEqual(await madeBy(stack), made);
    await inUseUntil(stack, past);
    await stack.configure([ada, gus]);
    await watch.reported("verification removed");
    await until(async () => (await madeBy(stack)).length === 0);
    assert.deepEqual(watch.of("verification not removed"), []);
    assert.equal(await watch.end("SIGTERM"), 0);
  });

  it("are removed by the next verification", async () => {
    await killed();
    await inUseUntil(stack, past);
    const next = new RunningVerify(stack, ["--only", "sign-in"]);
    assert.equal(await next.end(), 0, next.output);
    assert.deepEqual(await madeBy(stack), []);
  });
});
