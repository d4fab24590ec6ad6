import assert from "node:assert/strict";
import type { Outcome } from "../../../../verify/outcome.ts";
import { lookAt, prefixOutcome, trySignIn } from "../../../../verify/parts/signIn.ts";
import type { Stage } from "../../../../verify/stage/stage.ts";
import { configuration } from "../../samples.ts";

const issuerUrl = "https://id.example.org/realms/camp";
const discovery = `${issuerUrl}/.well-known/openid-configuration`;
const keys = "https://id.example.org/keys";
const document = { issuer: issuerUrl, jwks_uri: keys, id_token_signing_alg_values_supported: ["RS256"] };
const key = { kty: "RSA", use: "sig", alg: "RS256" };

const textOf = (outcome: Outcome) => {
  if (outcome.is === "held") {
    return "held";
  }
  return `${outcome.is}: ${outcome.is === "broken" ? `${outcome.tried}: ${outcome.came}` : outcome.why}`;
};

/** What is said of an issuer with these answers. Default: a right one. */
async function look(answers: Record<string, readonly [number, unknown]> = {}, needed: string[] = [], url = issuerUrl) {
  const all: Record<string, readonly [number, unknown]> = {
    [discovery]: [200, document],
    [keys]: [200, { keys: [key] }],
    ...answers,
  };
  const { issuer, claims } = await lookAt({ issuerUrl: url }, needed, async (asked) => {
    const answer = all[asked];
    return await (answer ?? Promise.reject(new Error(`${asked}: connect ECONNREFUSED`)));
  });
  return [textOf(issuer), textOf(claims)];
}

describe("the issuer that verify looks at", () => {
  it("is right with its own name, an algorithm and a key", async () => {
    assert.deepEqual(await look(), ["held", "held"]);
    assert.deepEqual(await look({ [discovery]: [200, { issuer: issuerUrl, jwks_uri: keys }] }), ["held", "held"]);
    assert.deepEqual(await look({ [keys]: [200, { keys: [{ kty: "OKP" }, { kty: "EC" }] }] }), ["held", "held"]);
  });

  for (const [what, answers, outcome] of [
    [
      "another name",
      { [discovery]: [200, { ...document, issuer: `${issuerUrl}/` }] },
      `broken: asked ${discovery}: it calls itself "${issuerUrl}/", as its tokens do`,
    ],
    ["no discovery", { [discovery]: [404, {}] }, `broken: asked ${discovery}: 404`],
    ["a page instead", { [discovery]: [200, undefined] }, `broken: asked ${discovery}: it is no JSON object`],
    ["a failure", { [discovery]: [502, undefined] }, `unproven: ${discovery}: 502`],
    ["a redirection", { [discovery]: [302, undefined] }, `unproven: ${discovery}: 302`],
    [
      "algorithms that the API server does not take",
      { [discovery]: [200, { ...document, id_token_signing_alg_values_supported: ["EdDSA", "HS256"] }] },
      `broken: asked ${discovery}: it signs with EdDSA, HS256, which the API server does not take`,
    ],
    [
      "no address of its keys",
      { [discovery]: [200, { ...document, jwks_uri: "keys" }] },
      `broken: looked for its keys: its jwks_uri is "keys"`,
    ],
    ["no keys", { [keys]: [200, { keys: [] }] }, `broken: asked ${keys}: no key is one that the API server takes`],
    [
      "keys for something else",
      { [keys]: [200, { keys: [{ ...key, use: "enc" }, { ...key, alg: "HS256" }, { ...key, kty: "oct" }, null] }] },
      `broken: asked ${keys}: no key is one that the API server takes`,
    ],
    ["an error instead of keys", { [keys]: [403, undefined] }, `broken: asked ${keys}: 403`],
    ["keys that fail", { [keys]: [500, undefined] }, `unproven: ${keys}: 500`],
  ] as const) {
    it(`is seen with ${what}`, async () => {
      const [issuer] = await look(answers as Record<string, readonly [number, unknown]>);
      assert.equal(issuer, outcome);
    });
  }

  it("is asked without a second slash, and proves nothing where it can't be asked", async () => {
    const [issuer] = await look({}, [], `${issuerUrl}/`);
    assert.match(issuer ?? "", /^broken: .*it calls itself/);
    assert.deepEqual(await look({}, [], "https://down.example.org"), [
      "unproven: this machine can't ask it; the API server may: https://down.example.org/.well-known/openid-configuration: connect ECONNREFUSED",
      "unproven: the issuer is not found",
    ]);
  });

  it("need not list all claims, so that a missing one proves nothing", async () => {
    const listing = (...claims: string[]) => ({
      [discovery]: [200, { ...document, claims_supported: claims }] as const,
    });
    assert.equal((await look(listing("sub", "email", "groups"), ["email", "groups"]))[1], "held");
    const unlisted = /^unproven: the issuer does not list groups in claims_supported, which need not be complete$/;
    assert.match((await look(listing("sub", "email"), ["email", "groups"]))[1] ?? "", unlisted);
    assert.match((await look({}, ["groups"]))[1] ?? "", unlisted);
  });

  it("can't give names of Kubernetes behind a prefix that is one's own", () => {
    assert.equal(textOf(prefixOutcome("oidc:")), "held");
    assert.equal(textOf(prefixOutcome("https://id.example.org#")), "held");
    assert.match(textOf(prefixOutcome("")), /^broken: read the settings: it is empty/);
    for (const prefix of ["system:", "system:oidc:", "s", "system"]) {
      assert.match(textOf(prefixOutcome(prefix)), /^broken: .* may be Kubernetes' own$/, prefix);
    }
  });

  it("is none in settings without one: nothing is proven", async () => {
    const list = configuration({ members: [] });
    const all = await trySignIn({
      stage: {} as Stage,
      configuration: list,
      isPart: false,
      options: { only: [], image: "" },
    });
    assert.equal(all.length, 4);
    assert.ok(all.every(({ outcome }) => outcome.is === "unproven"));
  });
});
