import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { CoreV1Event, V1Namespace } from "@kubernetes/client-node";
import { stringify } from "yaml";
import { SmtpSink } from "../../unit/watch/notify/smtpSink.ts";
import { kubecampProcess } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { until } from "../program/workloads.ts";
import { HeldClock } from "../support/heldClock.ts";
import { RunningWatch } from "./runningWatch.ts";

/** The clock of all processes here, far from midnight. */
const now = "2026-11-26T12:00:00Z";
const inDays = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10);
const soon = inDays(2);
const bob: Entry = { member: "bob", type: "user", expires: soon };
const carol: Entry = { member: "carol", type: "user" };
/** A member whose quota permits ten Services. */
const erin: Entry = { member: "erin", type: "user", maxObjects: 10, expires: inDays(100) };

const secrets = { path: "hook-in-the-path", token: "token-of-the-hook", password: "word-of-the-mail" };

/** A webhook that keeps what it gets, and answers with `status`. */
class Hook {
  readonly got: { readonly path: string; readonly token: string; readonly body: Record<string, unknown> }[] = [];
  status = 200;
  readonly #server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    if (this.status === 200) {
      this.got.push({ path: request.url ?? "", token: request.headers.authorization ?? "", body });
    }
    response.writeHead(this.status).end();
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${secrets.path}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe("what kubecamp watch tells before it happens", () => {
  // Before the stack goes: the watch would bring it up again.
  after(async () => {
    await watch?.end("SIGTERM");
    await sink.stop();
    hook.stop();
  });
  const stack = useStack("noticed");
  const hook = new Hook();
  const sink = new SmtpSink();
  let clock: HeldClock;
  let watch: RunningWatch;
  /** Everything that any watch has printed. */
  let printed = "";

  const members = async (...entries: readonly Entry[]) =>
    await writeFile(join(stack.folder, "members.yaml"), stringify(entries));
  const events = async (member: string) =>
    (
      await stack.sandbox.list<CoreV1Event>("event", {
        namespace: member,
        fieldSelector: "reportingComponent=kubecamp-watch",
      })
    )
      .map(({ reason, involvedObject, message }) => `${reason} ${involvedObject.kind}: ${message}`)
      .filter((line) => /^(Expires|QuotaNearlyFull) /.test(line));
  const remembered = async (member: string) => {
    const { metadata } = await stack.sandbox.get<V1Namespace>("namespace", member);
    const value = metadata?.annotations?.["kubecamp.dev/notices"] ?? "[]";
    return (JSON.parse(value) as { key: string; unsent?: string[] }[]).map(({ key, unsent = [] }) => [key, ...unsent]);
  };
  const end = async (signal: NodeJS.Signals) => {
    await watch.end(signal);
    printed += watch.output;
  };
  const restart = async (signal: NodeJS.Signals) => {
    await end(signal);
    watch = await RunningWatch.start(stack, clock.env);
    await watch.ready();
  };

  before(async () => {
    await stack.makeProject();
    clock = new HeldClock(stack.folder);
    clock.set(now);
    const [url, port] = [await hook.start(), await sink.start()];
    const mail = { to: ["platform@example.org"], from: "camp@example.org", server: "127.0.0.1", port };
    const notify = { mail: { ...mail, security: "none", user: "camp" } };
    await stack.configure(undefined, { membersFile: "members.yaml", notify });
    for (const [path, secret] of [
      ["webhook.url", url],
      ["webhook.token", secrets.token],
      ["mail.password", secrets.password],
    ] as const) {
      const set = ["config", "set", "--stack", stack.name, "--secret", "--path", `kubecamp:notify.${path}`, secret];
      const { exitCode, stderr } = await stack.manage(...set);
      assert.equal(exitCode, 0, stderr);
    }
    await members(bob, carol, erin);
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") {
      console.error(watch?.output);
    }
  });

  it("is an expiring member to them by an Event, and to admins by webhook and mail, once each", async () => {
    watch = await RunningWatch.start(stack, clock.env);
    await watch.ready();
    await until(async () => hook.got.length > 0 && sink.mails.length > 0);
    const [{ path, token, body } = assert.fail()] = hook.got;
    const reported = `Expires soon: bob on ${soon} (in 2 days)`;
    assert.deepEqual(
      [path, token, body],
      [
        `/${secrets.path}`,
        `Bearer ${secrets.token}`,
        {
          text: reported,
          stack: "noticed",
          notices: [{ code: "expires", member: "bob", facts: { lastDay: soon, days: 2 } }],
        },
      ],
    );
    const [{ data, ...envelope } = assert.fail()] = sink.mails;
    assert.deepEqual(envelope, { from: "camp@example.org", to: ["platform@example.org"] });
    assert.ok(data.includes(`\n\n${reported}\n`), data);
    assert.deepEqual(sink.signIns, [`\0camp\0${secrets.password}`]);
    await until(async () => (await events("bob")).length > 0);
    assert.deepEqual(await events("bob"), [
      `Expires Service: The last day of your environment is ${soon} in UTC, in 2 days. After it, you have no access and your pods stop.`,
    ]);
    assert.deepEqual(await remembered("bob"), [[`expires ${soon}`]]);
    assert.deepEqual([await remembered("erin"), await events("erin")], [[], []]);
  });

  it("is measured for everybody, near or not", async () => {
    const seconds = await watch.metric('kubecamp_member_expires_seconds{member="bob"}');
    assert.ok(seconds > 2 * 86_400 && seconds <= 3 * 86_400, String(seconds));
    assert.ok((await watch.metric('kubecamp_member_expires_seconds{member="erin"}')) > 99 * 86_400);
    assert.equal(await watch.metric('kubecamp_messages_total{channel="webhook",result="sent"}'), 1);
    assert.equal(await watch.metric('kubecamp_messages_total{channel="mail",result="sent"}'), 1);
    assert.equal(await watch.metric('kubecamp_notices_total{code="expires"}'), 1);
  });

  it("is listed by kubecamp members --expiring", async () => {
    const list = async (days: string) => {
      const run = await kubecampProcess(["members", "--stack", "noticed", "--expiring", days, "-o", "json"], {
        cwd: stack.folder,
        env: { ...stack.sandbox.env, ...clock.env },
      });
      assert.equal(run.exitCode, 0, run.stderr);
      return (JSON.parse(run.stdout) as { member: string }[]).map(({ member }) => member);
    };
    assert.deepEqual([await list("1d"), await list("2d"), await list("100d")], [[], ["bob"], ["bob", "erin"]]);
  });

  it("is a full quota as well, and nothing a second time by the next watch", async () => {
    for (let at = 0; at < 9; at++) {
      const metadata = { name: `web-${at}`, namespace: "erin" };
      const spec = { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] };
      await stack.sandbox.create({ apiVersion: "v1", kind: "Service", metadata, spec });
    }
    await restart("SIGTERM");
    await until(async () => hook.got.length > 1 && sink.mails.length > 1);
    const quota = "count/services 9 of 10 (90 %)";
    assert.equal(hook.got[1]?.body.text, `Quotas that are nearly full:\n  erin: ${quota}`);
    await until(async () => (await events("erin")).length > 0);
    assert.deepEqual(await events("erin"), [
      `QuotaNearlyFull ResourceQuota: Your quota is nearly full: ${quota}. Once it is, new Services are refused.`,
    ]);
    const ratio = 'kubecamp_member_quota_used_ratio{member="erin",resource="count/services"}';
    assert.equal(await watch.metric(ratio), 0.9);

    await restart("SIGKILL");
    assert.deepEqual([hook.got.length, sink.mails.length], [2, 2]);
    assert.deepEqual([(await events("bob")).length, (await events("erin")).length], [1, 1]);
    assert.deepEqual(
      [await remembered("bob"), await remembered("erin")],
      [[[`expires ${soon}`]], [["quotaNearlyFull count/services"]]],
    );
  });

  it("is told to the member while servers fail, and stops nothing", async () => {
    hook.status = 500;
    sink.refusal = "451 later";
    await members(bob, { ...carol, expires: inDays(10) }, erin);
    const lines = watch.lines.length;
    await watch.reported(
      "message failed",
      { channel: "webhook", reason: "the webhook answered 500 Internal Server Error" },
      lines,
    );
    const { reason } = await watch.reported("message failed", { channel: "mail" }, lines);
    assert.match(String(reason), /451 later/);
    assert.equal(await watch.metric('kubecamp_messages_total{channel="webhook",result="failed"}'), 1);
    await until(async () => (await events("carol")).length === 1);
    await until(async () => (await remembered("carol")).flat().length === 3);
    assert.deepEqual(await remembered("carol"), [[`expires ${inDays(10)}`, "webhook", "mail"]]);
    // The up after the edit would put it back without a word.
    await watch.reported("up ended", { kind: "full" }, lines);
    await stack.delete("networkpolicy", "isolation", "bob");
    await watch.reported("drift repaired", { object: "NetworkPolicy bob/isolation" }, lines);
    await watch.ready();
  });

  it("is sent once by the next watch where a server failed", async () => {
    hook.status = 200;
    sink.refusal = undefined;
    await restart("SIGTERM");
    await until(async () => hook.got.length > 2 && sink.mails.length > 2);
    assert.equal(hook.got[2]?.body.text, `Expires soon: carol on ${inDays(10)} (in 10 days)`);
    await until(async () => (await remembered("carol")).flat().length === 1);
    await restart("SIGTERM");
    assert.deepEqual([hook.got.length, sink.mails.length, (await events("carol")).length], [3, 3, 1]);
  });

  it("is no difference for runs, which leave what is remembered, and has no secret in any output", async () => {
    await end("SIGTERM");
    const preview = await stack.run(["preview", "--diff", "--expect-no-changes"], clock.env, stack.folder);
    assert.equal(preview.exitCode, 0, preview.output);
    assert.match(preview.output, /Expires soon: bob on .*, carol on /);
    assert.match(preview.output, /Quotas that are nearly full:\s+erin: count\/services 9 of 10/);
    const up = await stack.run(["up", "--yes", "--skip-preview", "--refresh"], clock.env, stack.folder);
    assert.equal(up.exitCode, 0, up.output);
    assert.deepEqual(await remembered("bob"), [[`expires ${soon}`]]);
    const state = JSON.stringify(await stack.resources());
    for (const secret of Object.values(secrets)) {
      assert.ok(!`${printed}${preview.output}${up.output}${state}`.includes(secret), secret);
    }
  });
});
