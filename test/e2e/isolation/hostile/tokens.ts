import { generateKeyPair } from "jose";
import type { TokenClaims, TokenOptions } from "../../support/signIn/issuer.ts";
import { callerWith } from "../../support/signIn/signedIn.ts";
import { type Ask, abroad, type Group, rbac, refused } from "./attempt.ts";

const secret = abroad("secrets/key");
const unauthorized = /^401 Unauthorized$/;

const asks =
  (claims: TokenClaims, options?: TokenOptions): Ask =>
  async (_, sandbox) =>
    callerWith(sandbox, await sandbox.issuer.token(claims, options)).ask("GET", secret);

const base64 = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A token without a signature: its header says `alg: none`. */
const unsigned: Ask = (_, sandbox) => {
  const { url, clientId } = sandbox.issuer;
  const claims = { iss: url, aud: clientId, sub: "vic", exp: Math.floor(Date.now() / 1000) + 3600 };
  return callerWith(sandbox, `${base64({ alg: "none" })}.${base64(claims)}.`).ask("GET", secret);
};

/** Tokens of others, and tokens that claim more than they may. */
export const tokens: Group = {
  on: "tokens",
  attempts: [
    ...refused(unauthorized, {
      "shows an expired token of the victim's": asks({ sub: "vic" }, { expiresIn: -60 }),
      "signs a token in the victim's name with a key of their own": async (caller, sandbox) =>
        asks({ sub: "vic" }, { key: (await generateKeyPair("RS256")).privateKey })(caller, sandbox),
      "shows a token that nobody signed": unsigned,
      "shows a token that the victim has for another application": asks({ sub: "vic", aud: "wiki" }),
      "shows a token of another issuer": asks({ sub: "vic", iss: "https://id.example.org" }),
    }),
    [
      "shows the issuer's token that says they are in system:masters",
      asks({ sub: "mallory", groups: ["system:masters"] }),
      rbac("get", "secrets"),
    ],
    ...refused(/User "oidc:system:admin" cannot get resource "secrets"/, {
      "shows the issuer's token that says they are system:admin": asks({ sub: "system:admin" }),
    }),
    ...refused(/User "system:anonymous" cannot get resource "secrets"|^401/, {
      "asks for a Secret without any token": (_, sandbox) => callerWith(sandbox, "").ask("GET", secret),
    }),
  ],
  controls: {
    "shows the victim's own token, and gets the Secret": asks({ sub: "vic" }),
  },
};
