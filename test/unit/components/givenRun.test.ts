import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { type GivenRun, givenRun, inRun, registering, ToldFindings } from "../../../components/givenRun.ts";
import { stack } from "../../../components/program.ts";
import { inform, warn } from "../../../components/warn.ts";
import { planFrom, type Run, runFor } from "../../../plan/decide/run.ts";
import { targetAll } from "../../../plan/decisions/target.ts";
import type { Finding } from "../../../plan/words/finding.ts";
import { useApiServer } from "../cluster/fakeApiServer.ts";
import { cluster } from "../cluster/leaving.ts";
import { member, settings } from "../samples.ts";
import { registeredBy } from "./recorded.ts";

describe("a program in a run", () => {
  useApiServer();
  const inspectedOf = (name: string): Run => {
    const members = [member({ member: name, type: "user" })];
    const plan = planFrom({ members, settings }, cluster(), undefined, new Date());
    return runFor(plan, targetAll(plan.list), undefined);
  };
  const ann = inspectedOf("ann");
  const run = (): GivenRun => ({ told: new ToldFindings(), ended: new AbortController().signal });
  const finding = (name: string): Finding => ({ code: "leftPolicy", object: name, facts: {} });

  it("registers in stack() what the run has decided, and tells the run what it finds", async () => {
    const given = run();
    const found: string[] = [];
    const names = await registeredBy(() =>
      inRun(given, ann, async () => {
        const { pending, environments } = await stack();
        found.push(...pending, ...environments.keys());
      }),
    );
    assert.deepEqual(found, ["ann", "ann"]);
    assert.ok(names.some(({ name }) => name === "ann/namespace"));
    assert.deepEqual(
      given.told.warnings.map(({ code }) => code),
      ["anyImage", "pending"],
    );
  });

  it("tells findings to the run that they belong to, while another goes on", async () => {
    const runs = [
      [run(), ann],
      [run(), inspectedOf("bob")],
    ] as const;
    const log = console.warn;
    const logged: unknown[] = [];
    console.warn = (text) => logged.push(text);
    try {
      await Promise.all(
        runs.map(([given, inspected], at) =>
          inRun(given, inspected, async () => {
            await registering(async (registered) => assert.equal(registered, inspected));
            await warn([finding(`warning ${at}`)]);
            await turn();
            assert.equal(givenRun()?.told, given.told);
            await inform([finding(`notice ${at}`)]);
          }),
        ),
      );
      assert.deepEqual(
        runs.map(([{ told }]) => told),
        runs.map((_, at) =>
          Object.assign(new ToldFindings(), {
            warnings: [finding(`warning ${at}`)],
            notices: [finding(`notice ${at}`)],
          }),
        ),
      );
      assert.deepEqual([logged, givenRun()], [[], undefined]);
      await warn([finding("outside")]);
      assert.equal(logged.length, 1);
    } finally {
      console.warn = log;
    }
  });

  it("fails where the program does not call stack(), also the second time, or calls it twice", async () => {
    const given = run();
    const nothing = async () => undefined;
    await inRun(given, ann, async () => await registering(nothing));
    const never = inRun(given, ann, async () => undefined);
    await assert.rejects(never, /does not call stack\(\) of this kubecamp; nothing was deleted/);
    const twice = inRun(given, ann, async () => [await registering(nothing), await registering(nothing)]);
    await assert.rejects(twice, /calls stack\(\) twice/);
  });

  it("waits for a stack() for which the program does not, and fails with it where the program catches its error", async () => {
    let isRegistered = false;
    const slowly = async () => {
      await turn();
      isRegistered = true;
    };
    await inRun(run(), ann, async () => void registering(slowly));
    assert.equal(isRegistered, true);
    const caught = inRun(run(), ann, async () => {
      await registering(async () => await Promise.reject(new Error("no cluster"))).catch(() => undefined);
    });
    await assert.rejects(caught, /no cluster/);
  });
});
