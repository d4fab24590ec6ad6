import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { htmlPage } from "../../../../../commands/board/markdown.ts";
import { Problem } from "../../../../../commands/common/problem.ts";
import { type InviteOptions, invitations } from "../../../../../commands/members/invite/invite.ts";
import type { Selector } from "../../../../../config/values/selector.ts";
import { route } from "../../../samples.ts";
import { project, useFolder } from "../../../testFolder.ts";
import { stackFile } from "../../stackFile.ts";

const settings = {
  oidc: { issuerUrl: "https://id.example.org", clientId: "kubernetes" },
  route,
  contact: "platform@example.org",
  ci: { audience: "https://k8s.example.org" },
  storage: {
    endpoint: "https://s3.example.org",
    users: "versitygw",
    accessKeyId: "admin",
    secretAccessKey: { secure: "AAABADhQ" },
  },
  memberTypes: { reader: { home: "view", quota: false } },
  members: [
    { member: "alice", type: "admin" },
    {
      member: "bob",
      type: "user",
      expires: "2099-12-31",
      images: ["docker.io/library/nginx:1.*", "ghcr.io/acme/*"],
      buckets: [{ name: "data" }, { name: "public" }],
      ci: [{ issuer: "github", repository: "bob/site", ref: "refs/heads/main" }, { token: true }],
      schedule: { sleep: "0 20 * * 1-5", wake: "0 7 * * 1-5", timeZone: "Europe/Zurich", wakeFor: "2h" },
    },
    { member: "carol", type: "guest-user", starter: "once", labels: { course: "cs101" } },
    { member: "dan", type: "user", suspended: true },
    { member: "eve", type: "user", expires: "2020-02-29" },
    { member: "finn", type: "reader", route: false },
  ],
};

const page = (name: string) => readFile(join(import.meta.dirname, "pages", name), "utf8");

describe("an invitation", () => {
  const { oidc, contact: _, ...bare } = settings;
  const folder = useFolder({
    ...project,
    "Pulumi.prod.yaml": stackFile(settings),
    "Pulumi.bare.yaml": stackFile(bare),
    "Pulumi.hidden.yaml": stackFile({ ...settings, oidc: { ...oidc, clientId: { secure: "AAABADhQ" } } }),
    "admin.kubeconfig": stringify({
      clusters: [{ name: "a", cluster: { server: "https://k8s.example.org:6443" } }],
      users: [{ name: "admin", user: { token: "the-admins-own" } }],
      contexts: [{ name: "a", context: { cluster: "a", user: "admin" } }],
      "current-context": "a",
    }),
  });

  const made = (names: readonly string[], options: Partial<InviteOptions> = {}) =>
    invitations(names, { stack: "prod", all: names.length === 0, output: "markdown", ...options }, folder.path, {
      env: { KUBECONFIG: join(folder.path, "admin.kubeconfig") },
      serviceAccount: folder.path,
    });
  const textOf = (name: string, options?: Partial<InviteOptions>) => made([name], options)[0]?.text;

  it("an invitation has all that a user with every feature needs", async () => {
    const long = /(```\w+\n[^\n]*\n)(?:(?!```)[^\n]*\n){12,}?([^\n]*\n```)/g;
    assert.equal(textOf("bob")?.replaceAll(long, "$1…\n$2"), await page("bob.md"));
  });

  it("is for a course's members", () => {
    const of = (where: Selector) => made([], { where, all: false }).map(({ member }) => member);
    assert.deepEqual(of({ labels: { course: "cs101" } }), ["carol"]);
    assert.deepEqual(of({ types: ["reader", "admin"], labels: {} }), ["alice", "finn"]);
    assert.throws(() => of({ labels: { course: "cs102" } }), /^Problem: There is no member with labels\.course=cs102/);
  });

  it("tells a suspended member so, and has no first app for them, nor for one who looks only", () => {
    assert.match(textOf("dan") ?? "", /^> \*\*You are suspended, dan\.\*\* Your namespace and data stay/m);
    const text = textOf("finn") ?? "";
    assert.doesNotMatch(text, /your path/);
    for (const one of [textOf("dan") ?? "", text]) {
      assert.doesNotMatch(one, /Run a first app/);
    }
  });

  it("an invitation is Markdown, or a page of HTML", () => {
    const markdown = textOf("carol") ?? "";
    assert.match(markdown, /args:\n +- -listen=:8080\n.*Hello from carol/);
    assert.match(markdown, /\/carol\/\) shows a page already\. It explains how to put your own app there\./);
    assert.equal(textOf("carol", { output: "html" }), htmlPage(markdown, "en"));
  });

  it("an invitation has no CI jobs of a suspended member, and a token if there is nothing else", () => {
    const ci = [{ token: true }];
    const members = [
      { member: "ned", type: "user", ci },
      { member: "old", type: "user", ci, suspended: true },
    ];
    folder.write({ "Pulumi.pipelined.yaml": stackFile({ ...settings, members }) });
    const [ned, old] = made(["ned", "old"], { stack: "pipelined" }).map(({ text }) => text);
    assert.match(
      ned ?? "",
      /## CI jobs that deploy for you\n\nThis prints a token for jobs, valid for an hour:\n\n```sh\nkubectl create token kubecamp-ci\n```\n\n## Your kubeconfig/,
    );
    assert.doesNotMatch(old ?? "", /CI jobs|kubecamp-ci/);
  });

  it("an invitation has nothing secret", () => {
    const all = JSON.stringify(made([]));
    assert.doesNotMatch(all, /the-admins-own|AAABADhQ|secretAccessKey|accessKeyId/);
  });

  it("an invitation is made for all, and for a name once", () => {
    assert.deepEqual(
      made([]).map(({ member }) => member),
      ["alice", "bob", "carol", "dan", "eve", "finn"],
    );
    assert.equal(made(["bob", "bob"]).length, 1);
    assert.deepEqual(
      made(["dan", "bob"]).flatMap(({ notes }) => notes),
      ["dan is suspended; the kubeconfig gives no access until that changes and 'pulumi up' has run."],
    );
  });

  it("tells whom to ask for a kubeconfig where the stack does not say how members sign in", () => {
    const text = textOf("bob", { stack: "bare" }) ?? "";
    assert.match(text, /Ask your cluster's admin for your kubeconfig, and save it as\n`bob\.kubeconfig`\./);
    assert.doesNotMatch(text, /kubelogin|## Your kubeconfig/);
    assert.throws(() => made(["bob"], { stack: "hidden" }), reported(/can't be read\. Something in oidc is encrypted/));
  });

  it("an invitation is worded by the admin's own template", () => {
    const template = join(folder.path, "welcome.md");
    folder.write({
      "welcome.md": `# Hi \${member}\r\n\r\n## Images\r\n\r\n\${images}\r\n\r\n## Bye\r\n\r\n$\${member}, \${contact}\r\n`,
    });
    assert.equal(textOf("alice", { template }), `# Hi alice\n\n## Bye\n\n\${member}, platform@example.org\n`);
  });

  it("an invitation is not made for nobody, or from a template with mistakes", () => {
    const template = join(folder.path, "wrong.md");
    folder.write({ "wrong.md": `# \${membre}\n\nYour limits: \${limits}\n` });
    assert.throws(() => made(["bobb"]), reported(/^There is no member 'bobb' in stack 'prod'; did you mean 'bob'\?/));
    assert.throws(
      () => made(["bob"], { template }),
      reported(
        /wrong\.md has mistakes\. \$\{membre\} is no placeholder; did you mean 'member'\?\n\$\{limits\} has to be alone between blank lines\. Use the placeholders member, /,
      ),
    );
    assert.throws(
      () => made(["bob"], { template: join(folder.path, "none.md") }),
      reported(/^Can't read the template .*none\.md\. ENOENT.* Name another file with --template\./),
    );
  });
});

/** Whether a Problem says such words, with its why and its way out. */
const reported = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  assert.match(`${error.message} ${error.why} ${error.remedy}`, words);
  return true;
};
