import assert from "node:assert/strict";
import { authenticationConfigurationFor } from "../../../../commands/cluster/authenticationConfiguration.ts";
import { Problem } from "../../../../commands/common/problem.ts";
import { project, useFolder } from "../../testFolder.ts";
import { stackFile } from "../stackFile.ts";

const oidc = { issuerUrl: "https://id.example.org", clientId: "kubernetes" };
const ci = { audience: "https://k8s.example.org" };
const job = { issuer: "github", repository: "org/app", ref: "refs/heads/main" };

describe("what the API server is told of a stack's issuers", () => {
  const folder = useFolder(project);

  /** Issuers for a stack with these settings and jobs of one member. */
  async function issuers(entries: readonly object[], settings: object, more: object = {}): Promise<string[]> {
    const all = {
      route: { host: "camp.example.org" },
      members: [{ member: "bob", type: "user", ci: entries }],
      ...settings,
    };
    folder.write({ "Pulumi.prod.yaml": stackFile(all, more) });
    return authenticationConfigurationFor("prod", folder.path).jwt.map(({ issuer: { url } }) => url);
  }
  const github = "https://token.actions.githubusercontent.com";
  const refusal = (words: RegExp) => (error: unknown) =>
    error instanceof Problem && words.test([error.message, JSON.stringify(error)].join(" "));

  it("what the API server is told is where people sign in, and the issuers of members' jobs", async () => {
    assert.deepEqual(await issuers([], { oidc, ci }), [oidc.issuerUrl]);
    assert.deepEqual(await issuers([job], { oidc, ci }), [oidc.issuerUrl, github]);
    assert.deepEqual(await issuers([job], { ci }), [github]);
    assert.deepEqual(await issuers([{ token: true }], { oidc }), [oidc.issuerUrl]);
  });

  it("what the API server is told is nothing where the stack does not say it", async () => {
    const unsaid = refusal(/^Stack 'prod' does not say how its members sign in\./);
    await assert.rejects(issuers([], { ci }), unsaid);
    await assert.rejects(issuers([{ token: true }], {}), unsaid);
  });

  it("what the API server is told is not guessed where an environment may say it", async () => {
    const esc = { environment: ["prod"] };
    const unread = refusal(/^How CI jobs of stack 'prod' sign in can't be read\./);
    const whole = {
      ...oidc,
      usernameClaim: "sub",
      groupsClaim: "groups",
      usernamePrefix: "oidc:",
      groupsPrefix: "oidc:",
    };
    await assert.rejects(issuers([job], { oidc: whole }, esc), unread);
    await assert.rejects(issuers([{ ...job, issuer: "school" }], { oidc: whole }, esc), unread);
    assert.deepEqual(await issuers([job], { oidc: whole, ci }, esc), [oidc.issuerUrl, github]);
    assert.deepEqual(await issuers([{ token: true }], { oidc: whole }, esc), [oidc.issuerUrl]);
  });
});
