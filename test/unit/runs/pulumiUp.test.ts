import assert from "node:assert/strict";
import { mock } from "node:test";
import {
  CommandError,
  ConcurrentUpdateError,
  type EngineEvent,
  type UpOptions,
} from "@pulumi/pulumi/automation/index.js";
import { Progress } from "../../../runs/progress.ts";
import { pulumiUp } from "../../../runs/pulumiUp.ts";

const component = "urn:pulumi:prod::kubecamp::kubecamp:index:MemberEnvironment";
const stackUrn = "urn:pulumi:prod::kubecamp::pulumi:pulumi:Stack::kubecamp-prod";
const step = (op: string, urn: string) => ({ resOutputsEvent: { metadata: { op, urn } } }) as unknown as EngineEvent;
const diagnostic = (severity: string, message: string, urn?: string) =>
  ({ diagnosticEvent: { severity, message, urn, color: "never" } }) as unknown as EngineEvent;
const said = (message: string) => ({ stdoutEvent: { message, color: "never" } }) as unknown as EngineEvent;
const opened = step("create", `${component}$kubernetes:networking.k8s.io/v1:Ingress::bob/route/ingress`);
const change = { operation: "create", type: "kubernetes:networking.k8s.io/v1:Ingress", name: "bob/route/ingress" };
const never = new AbortController().signal;

/** As Pulumi's API makes them. */
const failure = (Kind: typeof CommandError, text: string): Error =>
  Reflect.construct(Kind, [
    { toString: () => `code: -2\n stdout: \n stderr: Command failed: pulumi up\n${text}\n err?: x` },
  ]);

/** A stack whose up tells events, and ends as it is told to. */
function stackThat(end: (options: UpOptions) => unknown, ...events: readonly EngineEvent[]) {
  return {
    open: async () => undefined as never,
    up: async (options: UpOptions = {}) => {
      for (const event of events) {
        options.onEvent?.(event);
      }
      return (await end(options)) as never;
    },
  };
}
const throwing = (error: Error) => () => {
  throw error;
};

describe("an up whose refresh meets what Pulumi can't read", () => {
  const poisoned = `${component}$kubernetes:apps/v1:Deployment::mallory/starter/deployment`;
  const words = "unrecognized signature 'x' in property map for \"labels\"";
  /** An up that fails as it refreshes, and makes a route where it does not. */
  const stackWith = (error: string) => {
    const asked: (boolean | undefined)[] = [];
    const up = async ({ refresh, onEvent }: UpOptions) => {
      asked.push(refresh);
      onEvent?.(refresh === true ? diagnostic("error", error, poisoned) : opened);
      if (refresh === true) throw failure(CommandError, "error: update failed");
      return undefined as never;
    };
    return { asked, open: async () => undefined as never, up };
  };

  it("goes on without one, and says whose object it is, why, and what to do", async () => {
    const stack = stackWith(words);
    const progress = new Progress();
    const { notRefreshed = "", ...result } = await pulumiUp(stack, { refresh: true }, never, progress);
    assert.deepEqual([result, stack.asked], [{ outcome: "succeeded", changes: [change] }, [true, false]]);
    assert.match(notRefreshed, /^Pulumi could not refresh, and the run went on without\./);
    assert.ok(
      notRefreshed.includes(`\n  mallory/starter/deployment: ${words}\nA member's own object is not in`),
      notRefreshed,
    );
    assert.deepEqual(progress.warnings, [{ code: undefined, text: notRefreshed }]);
    assert.equal(progress.errors, undefined);
  });

  it("is a failure like others where that is not why", async () => {
    const stack = stackWith("connection refused");
    assert.deepEqual(await pulumiUp(stack, { refresh: true }, never), {
      outcome: "failed",
      reason: "mallory/starter/deployment: connection refused",
      changes: [],
    });
    assert.deepEqual(stack.asked, [true]);
  });
});

describe("what became of an up", () => {
  it("is what it changed", async () => {
    const stack = stackThat(
      () => ({}),
      step("same", `${component}::bob`),
      step("refresh", `${component}$kubernetes:core/v1:Namespace::bob/namespace`),
      opened,
      step("update", `${component}$kubernetes:core/v1:ResourceQuota::bob/quota`),
      step("create-replacement", `${component}$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/binding/edit`),
      step("replace", `${component}$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/binding/edit`),
      step("update", stackUrn),
      diagnostic("warning", "A route is pending"),
    );
    assert.deepEqual(await pulumiUp(stack, {}, never), {
      outcome: "succeeded",
      changes: [
        change,
        { operation: "update", type: "kubernetes:core/v1:ResourceQuota", name: "bob/quota" },
        {
          operation: "replace",
          type: "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding",
          name: "bob/binding/edit",
        },
      ],
    });
  });

  it("is a failure with all errors as they were worded, without marks of colour, traces and what else was printed", async () => {
    const stack = stackThat(
      throwing(failure(CommandError, "Updating (prod):\n password: hunter2")),
      opened,
      diagnostic("info#err", "the plugin prints something"),
      diagnostic(
        "error",
        "<{%reset%}>Running program failed with an unhandled exception:\n<{%reset%}>TypeError: x\n    at \x1b[90mfile:///index.ts:12:3\x1b[39m\n    at async run (run.ts:1:2)\n",
        stackUrn,
      ),
      diagnostic("error", "server says no\n  at noon", `${component}$kubernetes:core/v1:ResourceQuota::bob/quota`),
      diagnostic("error", "server says no\n  at noon", `${component}$kubernetes:core/v1:ResourceQuota::bob/quota`),
      diagnostic("error", "update failed"),
    );
    assert.deepEqual(await pulumiUp(stack, {}, never), {
      outcome: "failed",
      reason: "Running program failed with an unhandled exception:\nTypeError: x\nbob/quota: server says no\n  at noon",
      changes: [change],
    });
  });

  it("is a failure in the words of the command line, where it came to no up", async () => {
    const error = failure(CommandError, "error: could not decrypt: incorrect passphrase");
    assert.deepEqual(await pulumiUp(stackThat(throwing(error)), {}, never), {
      outcome: "failed",
      reason: "could not decrypt: incorrect passphrase",
      changes: [],
    });
    const printed = stackThat(({ onError }) => {
      onError?.("warning: old\nerror: no space left\n");
      throw error;
    });
    assert.deepEqual(await pulumiUp(printed, {}, never), {
      outcome: "failed",
      reason: "no space left",
      changes: [],
    });
  });

  it("is whose lock it met", async () => {
    const text =
      "error: the stack is currently locked by 1 lock(s).\n" +
      "  file:///x.json: created by ada@laptop (pid 12) at 2026-11-21T14:33:52Z";
    const error = failure(ConcurrentUpdateError, text);
    assert.deepEqual(await pulumiUp(stackThat(throwing(error)), {}, never), {
      outcome: "locked",
      by: "ada@laptop (pid 12) since 2026-11-21T14:33:52.000Z",
      locks: [
        { url: "file:///x.json", user: "ada", host: "laptop", pid: 12, since: Date.parse("2026-11-21T14:33:52Z") },
      ],
    });
    const conflict = failure(ConcurrentUpdateError, "[409] Conflict: Another update is currently in progress.");
    assert.deepEqual(await pulumiUp(stackThat(throwing(conflict)), {}, never), {
      outcome: "locked",
      by: "another update of this stack",
      locks: [],
    });
  });
});

describe("an up that is to be cancelled", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("is not begun when the signal was there first", async () => {
    const stack = stackThat(throwing(new Error("it was begun")));
    assert.deepEqual(await pulumiUp(stack, {}, AbortSignal.abort()), { outcome: "cancelled", changes: [] });
  });

  it("is told so once, when Pulumi heeds it and not before, and keeps what it had done", async () => {
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
    assert.deepEqual(await pulumiUp(stack, {}, abort.signal), { outcome: "cancelled", changes: [change, change] });
    assert.deepEqual(reported, [
      "it tells what it does",
      "it has had its time to say that it heeds the signal",
      "interrupted",
    ]);
  });

  it("is not told a second time where the signal has reached it by itself, as Ctrl-C does", async () => {
    const abort = new AbortController();
    let isReported: boolean | undefined;
    const stack = stackThat(async ({ onEvent, signal }) => {
      abort.abort();
      onEvent?.(said("^C received; cancelling. If you would like to terminate immediately, press ^C again.\n"));
      mock.timers.tick(60_000);
      isReported = signal?.aborted;
      throw failure(CommandError, "error: canceled");
    }, opened);
    assert.deepEqual(await pulumiUp(stack, {}, abort.signal), { outcome: "cancelled", changes: [change] });
    assert.equal(isReported, false);
  });

  it("is not told once Pulumi has told its summary: it would end at once, with its lock left", async () => {
    const abort = new AbortController();
    let isReported: boolean | undefined;
    const summary = { summaryEvent: { durationSeconds: 1 } } as unknown as EngineEvent;
    const stack = stackThat(async ({ onEvent, signal }) => {
      abort.abort();
      onEvent?.(summary);
      mock.timers.tick(60_000);
      isReported = signal?.aborted;
      return { outputs: {} };
    }, opened);
    assert.deepEqual(await pulumiUp(stack, {}, abort.signal), { outcome: "succeeded", changes: [change] });
    assert.equal(isReported, false);
  });

  it("was cancelled, too, when nobody but Pulumi has been told", async () => {
    const terminated = said("SIGTERM received; cancelling. If you would like to terminate immediately, ...");
    const stack = stackThat(throwing(failure(CommandError, "error: canceled")), opened, terminated);
    assert.deepEqual(await pulumiUp(stack, {}, never), { outcome: "cancelled", changes: [change] });
  });
});
