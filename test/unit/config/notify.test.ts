import assert from "node:assert/strict";
import { engineSource } from "../../../config/sources/load.ts";
import { parseSources, type Source, stackSource } from "../../../config/sources/sources.ts";
import { mistakeLines } from "../../../config/values/mistakes.ts";
import { configuration, mistakes, today } from "../samples.ts";

const reported = (notify: unknown) => mistakes({ members: [], notify });
const settingsOf = (notify: object) => configuration({ members: [], notify }).settings.notify;
const mail = { to: ["platform@example.org"], from: "kubecamp@example.org", server: "smtp.example.org" };
const secret = "top-secret";

describe("whom the watch tells, and when", () => {
  it("takes from the settings whom the watch tells, and when", () => {
    const url = `https://hooks.example.org/${secret}`;
    assert.deepEqual(settingsOf({ expiryDays: [1, 7, 30], quotaPercent: 75, webhook: { url, token: secret }, mail }), {
      expiryDays: [1, 7, 30],
      quotaPercent: 75,
      webhook: { url, token: secret },
      mail: { ...mail, port: 587, security: "starttls" },
    });
    const port = (more: object) => settingsOf({ mail: { ...mail, ...more } }).mail?.port;
    assert.deepEqual([port({ security: "tls" }), port({ security: "none" }), port({ port: 2525 })], [465, 25, 2525]);
  });

  it("takes days of notices in any order, and refuses those that are none", () => {
    assert.deepEqual(settingsOf({ expiryDays: [14, 3, 14] }).expiryDays, [3, 14]);
    assert.deepEqual(reported({ expiryDays: [-1, 1.5, 400, "x"], quotaPercent: 101, expiresDays: [1] }), [
      "notify.expiryDays[0]: -1 must be at least 0",
      "notify.expiryDays[1]: 1.5 must be a whole number of days",
      "notify.expiryDays[2]: 400 must be at most 365",
      'notify.expiryDays[3]: "x" must be a number of days',
      "notify.quotaPercent: 101 must be at most 100",
      "notify.expiresDays: is no setting here; did you mean 'expiryDays'?",
    ]);
  });

  it("refuses a webhook that others could read, and never shows its secret", () => {
    const rule = "must be an https URL without a user (http only for this machine: localhost, 127.0.0.1 or [::1])";
    for (const url of [`http://hooks.example.org/${secret}`, `https://me:${secret}@hooks.example.org`, secret]) {
      assert.deepEqual(reported({ webhook: { url } }), [`notify.webhook.url: [secret] ${rule}`]);
    }
    for (const url of ["http://localhost:8080/x", "http://127.0.0.1/x", "https://hooks.example.org"]) {
      assert.deepEqual(reported({ webhook: { url } }), []);
    }
    assert.deepEqual(reported({ webhook: `https://hooks.example.org/${secret}` }), [
      "notify.webhook: [secret] must be a map with url",
    ]);
    assert.deepEqual(reported(`https://hooks.example.org/${secret}`), ["notify: [secret] must be a map"]);
    assert.deepEqual(reported({ webhook: { token: secret, uri: secret } }), [
      "notify.webhook.url: is missing: must be a text",
      "notify.webhook.uri: is no setting here; did you mean 'url'?",
    ]);
    assert.deepEqual(reported({ webhook: { url: "https://hooks.example.org", token: `${secret} x` } }), [
      "notify.webhook.token: [secret] must be a token, without blanks",
    ]);
  });

  it("refuses mail without a recipient or a server, and with what would end a header", () => {
    const address = "must be one address, such as platform@example.org";
    assert.deepEqual(reported({ mail: {} }), [
      "notify.mail.to: is missing: must be a list of addresses",
      "notify.mail.from: is missing: must be a text",
      "notify.mail.server: is missing: must be a text",
    ]);
    assert.deepEqual(reported({ mail: { ...mail, to: [] } }), ["notify.mail.to: [] must have a recipient"]);
    assert.deepEqual(reported({ mail: { ...mail, to: ["a@b\nBcc: c@d", "a@b,c@d", "a"], from: "Me <a@b>" } }), [
      `notify.mail.to[0]: "a@b\\nBcc: c@d" ${address}`,
      `notify.mail.to[1]: "a@b,c@d" ${address}`,
      `notify.mail.to[2]: "a" ${address}`,
      `notify.mail.from: "Me <a@b>" ${address}`,
    ]);
    assert.deepEqual(reported({ mail: { ...mail, server: "smtp://x", port: 0, security: "ssl" } }), [
      'notify.mail.server: "smtp://x" must be a host name or an IP address',
      "notify.mail.port: 0 must be at least 1",
      'notify.mail.security: "ssl" must be one of starttls, tls, none',
    ]);
  });

  it("refuses half a sign-in for mail, and a password that everybody on the way could read", () => {
    assert.deepEqual(reported({ mail: { ...mail, user: "camp" } }), [
      "notify.mail.password: is missing: it goes with user; set both, or leave both out",
    ]);
    assert.deepEqual(reported({ mail: { ...mail, password: secret } }), [
      "notify.mail.user: is missing: it goes with password; set both, or leave both out",
    ]);
    const open = { ...mail, security: "none", user: "camp", password: secret };
    assert.deepEqual(reported({ mail: open }), [
      'notify.mail.security: "none" would send the password in plain text; set starttls or tls, or leave out user and password',
    ]);
    assert.deepEqual(reported({ mail: { ...open, server: "127.0.0.1" } }), []);
    assert.deepEqual(reported({ mail: { ...mail, security: "none" } }), []);
  });
});

describe("secrets of whom the watch tells", () => {
  const head =
    "config:\n  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n  kubecamp:members: []\n";
  const usual = { expiryDays: [3, 14], quotaPercent: 90 };
  const parsed = (stack: Source) => parseSources("prod", { stack }, today);
  const lines = (stack: Source) => {
    const found = parsed(stack);
    return "mistakes" in found ? mistakeLines(found.mistakes) : [];
  };

  it("demands encrypted secrets of notices, and takes them as valid while they are", () => {
    const plain = (path: string) =>
      `Pulumi.prod.yaml:4: notify.${path}: is plain text here; make another if anybody else could read it, and encrypt it: ` +
      `pulumi config set --secret --path kubecamp:notify.${path}`;
    const text = (url: string, token: string, password: string) =>
      `${head}  kubecamp:notify: { webhook: { url: ${url}, token: ${token} }, mail: { to: [a@b.c], from: a@b.c, server: s, user: u, password: ${password} } }\n`;
    const url = `https://hooks.example.org/${secret}`;
    const refused = lines(stackSource("Pulumi.prod.yaml", text(url, "t", secret)));
    assert.deepEqual(refused, ["webhook.url", "webhook.token", "mail.password"].map(plain));
    const safe = stackSource("Pulumi.prod.yaml", text("{ secure: v1:a }", "{ secure: v1:c }", "{ secure: v1:b }"));
    const found = parsed(safe);
    assert.ok("configuration" in found);
    const known = { to: ["a@b.c"], from: "a@b.c", server: "s", user: "u" };
    const mail = { ...known, port: 587, security: "starttls" };
    assert.deepEqual(found.configuration.settings.notify, { ...usual, webhook: {}, mail });
    const notify = { webhook: { url, token: "t" }, mail: { ...known, password: secret } };
    const values = Object.entries({ ...safe.raw, notify }).map(([key, value]) => [
      `kubecamp:${key}`,
      JSON.stringify(value),
    ]);
    const decrypted = parsed(engineSource(Object.fromEntries(values), ["kubecamp:notify"], safe));
    assert.ok("configuration" in decrypted);
    assert.deepEqual(decrypted.configuration.settings.notify.webhook, notify.webhook);
    assert.equal(decrypted.configuration.settings.notify.mail?.password, secret);
  });
});
