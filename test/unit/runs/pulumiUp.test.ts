import assert from "node:assert/strict";
import { mock } from "node:test";
import {
  CommandError,
  ConcurrentUpdateError,
  type EngineEvent,
  type UpOptions,
} from "@pulumi/pulumi/automation/index.js";
import { Progress } from "../../../runs/progress.ts";
import { type EngineRun, pulumiUp } from "../../../runs/pulumiUp.ts";

const component = "urn:pulumi:prod::kubecamp::kubecamp:index:MemberEnvironment";
const stackUrn = "urn:pulumi:prod::kubecamp::pulumi:pulumi:Stack::kubecamp-prod";
const step = (op: string, urn: string) => ({ resOutputsEvent: { metadata: { op, urn } } }) as unknown as EngineEvent;
const diagnostic = (severity: string, message: string, urn?: string) =>
  ({ diagnosticEvent: { severity, message, urn, color: "never" } }) as unknown as EngineEvent;
const said = (message: string) => ({ stdoutEvent: { message, color: "never" } }) as unknown as EngineEvent;
const opened = step("create", `${component}$kubernetes:networking.k8s.io/v1:Ingress::bob/route/ingress`);
const change = { operation: "create", type: "kubernetes:networking.k8s.io/v1:Ingress", name: "bob/route/ingress" };
const never = new AbortController().signal;
const run: EngineRun = { kind: "up", program: async () => undefined, refresh: false };

/** As Pulumi's API makes them. */
const failure = (Kind: typeof CommandError, text: string): Error =>
  Reflect.construct(Kind, [
    { toString: () => `code: -2\n stdout: \n stderr: Command failed: pulumi up\n${text}\n err?: x` },
  ]);

/** A stack whose run tells events, and ends as it is told to. */
function stackThat(end: (options: UpOptions) => unknown, ...events: readonly EngineEvent[]) {
  const up = async (options: UpOptions) => {
    for (const event of events) {
      options.onEvent?.(event);
    }
    return (await end(options)) as never;
  };
  return { open: async () => undefined as never, up, preview: up };
}
const throwing = (error: Error) => () => {
  throw error;
};

describe("an up whose refresh meets what Pulumi can't read", () => {
  const poisoned = `${component}$kubernetes:apps/v1:Deployment::mallory/starter/deployment`;
  const words = "unrecognized signature 'x' in property map for \"labels\"";
  /** An up that fails as it refreshes, and makes a route where it does not. */
  async function refreshed(error: string, progress = new Progress()) {
    const asked: (boolean | undefined)[] = [];
    const stack = stackThat(({ refresh, onEvent }) => {
      asked.push(refresh);
      progress.told.warnings.push({ code: "anyImage", facts: { members: ["bob"] } });
      onEvent?.(refresh === true ? diagnostic("error", error, poisoned) : opened);
      if (refresh === true) {
        throw failure(CommandError, "error: update failed");
      }
    });
    return { asked, result: await pulumiUp(stack, { ...run, refresh: true }, never, progress) };
  }

  it("repeats an up without a refresh that can't read an object, and says whose, and what to do", async () => {
    const progress = new Progress();
    const { asked, result } = await refreshed(words, progress);
    const { notRefreshed = "", ...rest } = result;
    assert.deepEqual([rest, asked], [{ outcome: "succeeded", changes: [change] }, [true, false]]);
    const expected = `\n  mallory/starter/deployment: ${words}\nA member's own object is not in`;
    assert.ok(notRefreshed.includes(expected), notRefreshed);
    assert.deepEqual(progress.remarks, [notRefreshed]);
    assert.deepEqual([progress.told.warnings.length, progress.errors], [1, undefined]);
  });

  it("fails an up whose refresh fails for another reason than an unreadable object", async () => {
    const { asked, result } = await refreshed("connection refused");
    const reason = "mallory/starter/deployment: connection refused";
    assert.deepEqual([result, asked], [{ outcome: "failed", reason, changes: [] }, [true]]);
  });
});

describe("the result of an up", () => {
  it("names what an up changed", async () => {
    const bindingType = "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding";
    const stack = stackThat(
      () => ({}),
      step("same", `${component}::bob`),
      step("refresh", `${component}$kubernetes:core/v1:Namespace::bob/namespace`),
      opened,
      step("create-replacement", `${component}$${bindingType}::bob/binding/edit`),
      step("replace", `${component}$${bindingType}::bob/binding/edit`),
      step("update", stackUrn),
      diagnostic("warning", "A route is pending"),
    );
    const replaced = { operation: "replace", type: bindingType, name: "bob/binding/edit" };
    assert.deepEqual(await pulumiUp(stack, run, never), { outcome: "succeeded", changes: [change, replaced] });
  });

  it("tells all of an up's errors as worded, without marks of colour, traces and other output", async () => {
    const stack = stackThat(
      throwing(failure(CommandError, "Updating (prod):\n password: hunter2")),
      opened,
      diagnostic("info#err", "the plugin prints something"),
      diagnostic(
        "error",
        "<{%reset%}>Running program failed with an unhandled exception:\n<{%reset%}>TypeError: x\n    at \x1b[90mfile:///index.ts:12:3\x1b[39m\n    at async run (run.ts:1:2)\n",
        stackUrn,
      ),
      ...Array(2).fill(
        diagnostic("error", "server says no\n  at noon", `${component}$kubernetes:core/v1:ResourceQuota::bob/quota`),
      ),
      diagnostic("error", "update failed"),
      diagnostic("error", "One or more errors occurred: x", stackUrn),
    );
    assert.deepEqual(await pulumiUp(stack, run, never), {
      outcome: "failed",
      reason: "Running program failed with an unhandled exception:\nTypeError: x\nbob/quota: server says no\n  at noon",
      changes: [change],
    });
  });

  it("tells the command line's words where an up did not begin", async () => {
    const error = failure(CommandError, "error: could not decrypt: incorrect passphrase");
    const reasonOf = async (stack: ReturnType<typeof stackThat>) => {
      const result = await pulumiUp(stack, run, never);
      return "reason" in result ? result.reason : undefined;
    };
    const reason = (await reasonOf(stackThat(throwing(error)))) ?? "";
    assert.match(
      reason,
      /^could not decrypt: incorrect passphrase\nSet PULUMI_CONFIG_PASSPHRASE to .*PULUMI_CONFIG_PASSPHRASE_FILE/,
    );
    const printed = stackThat(({ onError }) => {
      onError?.("warning: old\nerror: no space left\n");
      throw error;
    });
    assert.equal(await reasonOf(printed), "no space left");
  });

  it("says whose lock an up met", async () => {
    const lockedBy = async (text: string) => {
      const result = await pulumiUp(stackThat(throwing(failure(ConcurrentUpdateError, text))), run, never);
      return result.outcome === "locked" ? [result.by, result.locks.length] : [];
    };
    const text = "  file:///x.json: created by ada@laptop (pid 12) at 2026-11-21T14:33:52Z";
    assert.deepEqual(await lockedBy(text), ["ada@laptop (pid 12) since 2026-11-21T14:33:52.000Z", 1]);
    assert.deepEqual(await lockedBy("[409] Conflict: in progress."), ["another update of this stack", 0]);
  });
});

describe("a preview", () => {
  it("previews a program's run for targets, and goes on past no failure of a resource", async () => {
    const asked: object[] = [];
    const end = ({ onEvent, onError, signal, ...options }: UpOptions) => asked.push(options);
    const stack = { ...stackThat(throwing(new Error("this is an up"))), preview: stackThat(end, opened).preview };
    const preview: EngineRun = { ...run, kind: "preview", refresh: true, target: ["**::bob"] };
    const result = await pulumiUp(stack, preview, never);
    assert.deepEqual(result, { outcome: "succeeded", changes: [change] });
    const { kind, ...options } = preview;
    assert.deepEqual(asked, [{ ...options, color: "never", showSecrets: false, runProgram: false }]);
  });

  it("gives the reason of a failed preview", async () => {
    const broken = diagnostic("error", "cluster 'x' is unknown", stackUrn);
    const stack = stackThat(throwing(failure(CommandError, "error: preview failed")), broken);
    const result = await pulumiUp(stack, { ...run, kind: "preview" }, never);
    assert.deepEqual(result, { outcome: "failed", reason: "cluster 'x' is unknown", changes: [] });
  });
});

describe("an up that is to be cancelled", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("begins no up when the signal was there first", async () => {
    const stack = stackThat(throwing(new Error("it was begun")));
    assert.deepEqual(await pulumiUp(stack, run, AbortSignal.abort()), { outcome: "cancelled", changes: [] });
  });

  it("tells an up once to cancel, when Pulumi heeds that and not before, and keeps what was done", async () => {
    const abort = new AbortController();
    const reported: string[] = [];
    const stack = stackThat(async ({ onEvent, signal }) => {
      signal?.addEventListener("abort", () => reported.push("interrupted"));
      abort.abort();
      mock.timers.tick(60_000);
      reported.push("it tells what it does");
      onEvent?.(opened);
      mock.timers.tick(2000);
      onEvent?.(opened);
      reported.push("it has had its time to say that it heeds the signal");
      mock.timers.tick(1000);
      throw failure(CommandError, "error: update canceled");
    });
    assert.deepEqual(await pulumiUp(stack, run, abort.signal), { outcome: "cancelled", changes: [change, change] });
    assert.deepEqual(reported, [
      "it tells what it does",
      "it has had its time to say that it heeds the signal",
      "interrupted",
    ]);
  });

  const summary = { summaryEvent: { durationSeconds: 1 } } as unknown as EngineEvent;
  const heeded = said("^C received; cancelling. If you would like to terminate immediately, press ^C again.\n");
  for (const [when, event, end, outcome] of [
    ["Ctrl-C has reached Pulumi anyway", heeded, throwing(failure(CommandError, "error: canceled")), "cancelled"],
    ["the summary is out, which would leave the lock", summary, () => ({ outputs: {} }), "succeeded"],
  ] as const) {
    it(`tells an up nothing of a stop once ${when}`, async () => {
      const abort = new AbortController();
      let isReported: boolean | undefined;
      const stack = stackThat(async ({ onEvent, signal }) => {
        abort.abort();
        onEvent?.(event);
        mock.timers.tick(60_000);
        isReported = signal?.aborted;
        return end();
      }, opened);
      const result = await pulumiUp(stack, run, abort.signal);
      assert.deepEqual([result, isReported], [{ outcome, changes: [change] }, false]);
    });
  }

  it("takes an up for cancelled, too, when nobody but Pulumi has been told", async () => {
    const terminated = said("SIGTERM received; cancelling. If you would like to terminate immediately, ...");
    const stack = stackThat(throwing(failure(CommandError, "error: canceled")), opened, terminated);
    assert.deepEqual(await pulumiUp(stack, run, never), { outcome: "cancelled", changes: [change] });
  });
});
