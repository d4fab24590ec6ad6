import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text as textOf } from "node:stream/consumers";
import type { NotifySettings } from "../../../../config/notify.ts";
import { type AdminMessage, channelsOf, messageAbout, sendFailure } from "../../../../watch/notify/channels.ts";
import { listening } from "../../../support/listening.ts";
import { restore } from "../../cluster/fakeApiServer.ts";
import { SmtpSink } from "./smtpSink.ts";

const expires = (member: string) => ({ code: "expires", member, facts: { lastDay: "2026-06-29", days: 14 } }) as const;
const full = {
  code: "quotaNearlyFull",
  member: "bob",
  facts: { resource: "limits.cpu", used: "950m", hard: "1", ratio: 0.95, refused: "pods" },
} as const;
const message = messageAbout("prod", [expires("bob")]);
const thresholds = { expiryDays: [3, 14], quotaPercent: 90 };

/** Why a message was not taken, as the log has it; undefined if it was. */
async function reasonWith(
  settings: Partial<NotifySettings>,
  sent: AdminMessage = message,
): Promise<string | undefined> {
  const [channel] = channelsOf({ ...thresholds, ...settings });
  assert.ok(channel);
  return await channel.send(sent).then(
    () => undefined,
    (error: unknown) => sendFailure(error, channel),
  );
}

describe("a message to admins", () => {
  it("writes admins a paragraph for each kind of thing, and whom that is about", () => {
    assert.deepEqual(messageAbout("prod", [expires("bob"), full]), {
      subject: "kubecamp: about bob of stack prod",
      text: [
        "Expires soon: bob on 2026-06-29 (in 14 days)",
        "Quotas that are nearly full:\n  bob: limits.cpu 950m of 1 (95 %)",
      ].join("\n\n"),
      stack: "prod",
      findings: [expires("bob"), full],
    });
    assert.equal(
      messageAbout("prod", [expires("bob"), expires("eve")]).subject,
      "kubecamp: about 2 members of stack prod",
    );
  });
});

describe("a webhook", () => {
  const got: { url: string | undefined; method: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  let answer = { status: 200, headers: {} as Record<string, string> };
  const server = createServer(async (request, response) => {
    const { url, method, headers } = request;
    got.push({ url, method, headers, body: await textOf(request) });
    response.writeHead(answer.status, answer.headers).end("ok");
  });
  let url = "";
  before(async () => {
    url = `http://127.0.0.1:${await listening(server)}/top-secret`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    got.length = 0;
    answer = { status: 200, headers: {} };
  });

  it("sends a webhook the text and the facts as JSON, with its token", async () => {
    assert.equal(await reasonWith({ webhook: { url, token: "t0ken" } }), undefined);
    const [{ method, url: path, headers, body } = assert.fail()] = got;
    assert.deepEqual(
      [method, path, headers["content-type"], headers.authorization, JSON.parse(body)],
      [
        "POST",
        "/top-secret",
        "application/json",
        "Bearer t0ken",
        {
          text: "Expires soon: bob on 2026-06-29 (in 14 days)",
          stack: "prod",
          notices: [{ code: "expires", member: "bob", facts: { lastDay: "2026-06-29", days: 14 } }],
        },
      ],
    );
    await reasonWith({ webhook: { url } });
    assert.equal(got[1]?.headers.authorization, undefined);
  });

  it("leaves a webhook's address out of the error where that refuses, redirects or is not there", async () => {
    answer.status = 500;
    assert.equal(await reasonWith({ webhook: { url } }), "the webhook answered 500 Internal Server Error");
    answer = { status: 302, headers: { Location: "/elsewhere" } };
    assert.equal(await reasonWith({ webhook: { url } }), "the webhook answered 302 Found");
    assert.equal(got.length, 2);
    const nobody = await reasonWith({ webhook: { url: "http://127.0.0.1:1/top-secret" } });
    assert.match(String(nobody), /^connect ECONNREFUSED 127\.0\.0\.1:1$/);
  });

  it("reaches a webhook through the environment's proxy", async () => {
    const { HTTP_PROXY } = process.env;
    process.env.HTTP_PROXY = new URL(url).origin;
    try {
      assert.equal(await reasonWith({ webhook: { url: "http://hook.test/top-secret" } }), undefined);
      assert.deepEqual(
        got.map((request) => request.url),
        ["http://hook.test/top-secret"],
      );
    } finally {
      restore("HTTP_PROXY", HTTP_PROXY);
    }
  });
});

describe("mail", () => {
  const sink = new SmtpSink();
  let port = 0;
  before(async () => {
    port = await sink.start();
  });
  after(() => sink.stop());
  beforeEach(() => {
    sink.mails.length = 0;
    sink.refusal = undefined;
  });
  const mail = () =>
    ({ to: ["a@example.org", "b@example.org"], from: "camp@example.org", server: "127.0.0.1", port }) as const;

  it("sends a mail to all recipients at once, signed in if the settings say so", async () => {
    const signIn = { security: "none", user: "camp", password: "top-secret" } as const;
    assert.equal(await reasonWith({ mail: { ...mail(), ...signIn } }), undefined);
    const [{ data, ...envelope } = assert.fail()] = sink.mails;
    assert.deepEqual(envelope, { from: "camp@example.org", to: ["a@example.org", "b@example.org"] });
    assert.match(data, /^Subject: kubecamp: about bob of stack prod$/m);
    assert.match(data, /\n\nExpires soon: bob on 2026-06-29 \(in 14 days\)\n$/);
    assert.deepEqual(sink.signIns, ["\0camp\0top-secret"]);
  });

  it("sends no mail without encryption unless the settings say so", async () => {
    assert.match(String(await reasonWith({ mail: { ...mail(), security: "starttls" } })), /STARTTLS/i);
    assert.deepEqual(sink.mails, []);
  });

  it("leaves the password out of the error where the server refuses a mail", async () => {
    sink.refusal = "554 no mail for top-secret";
    const reason = await reasonWith({
      mail: { ...mail(), security: "none", user: "camp", password: "top-secret" },
    });
    assert.match(String(reason), /554 no mail for \[secret\]/);
    assert.doesNotMatch(String(reason), /top-secret/);
  });
});
