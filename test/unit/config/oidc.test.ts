import assert from "node:assert/strict";
import { unread } from "../../../config/values/maps.ts";
import { ca } from "../certificates.ts";
import { mistakes } from "../samples.ts";

const members = [{ member: "bob", type: "user", subject: "bob@example.org" }];
const issuerUrl = "https://id.example.org";
const clientId = "kubernetes";

/** The lines that a stack is refused with whose people sign in so. */
const reported = (oidc: object, entries: readonly object[] = members) => mistakes({ oidc, members: entries });

const oneScope = "must be one scope, without blanks, commas and quotes";

describe("how people sign in", () => {
  for (const [what, oidc] of [
    ["nothing", {}],
    ["an issuer", { issuerUrl, clientId }],
    ["an issuer of one's own", { issuerUrl, clientId, ca: ca + ca, scopes: ["groups", "offline_access"] }],
    ["email addresses", { issuerUrl, clientId, usernameClaim: "email", usernamePrefix: "", groupsPrefix: "idp:" }],
    ["claims whose names are URLs", { usernameClaim: "https://example.org/name", groupsClaim: "cognito:groups" }],
    ["what is encrypted", { issuerUrl: unread, clientId, ca: unread, usernameClaim: unread, scopes: unread }],
  ] as const) {
    it(`takes a sign-in by ${what}`, () => {
      assert.deepEqual(reported(oidc), []);
    });
  }

  for (const [what, oidc, ...lines] of [
    ["an issuer without a client", { issuerUrl }, "oidc.clientId: is missing, but issuerUrl is set; set both"],
    [
      "the address of the discovery document",
      { issuerUrl: `${issuerUrl}/.well-known/openid-configuration`, clientId },
      'oidc.issuerUrl: "https://id.example.org/.well-known/openid-configuration" must be the issuer, as tokens have it in iss: what stands before /.well-known/',
    ],
    [
      "the cluster's own issuer",
      { issuerUrl: "https://kubernetes.default.svc.cluster.local", clientId },
      "oidc.issuerUrl: \"https://kubernetes.default.svc.cluster.local\" is the cluster's own issuer, whose tokens are ServiceAccounts'; name the one that people sign in at",
    ],
    [
      "claims that are not about people",
      { usernameClaim: "iss", groupsClaim: "aud" },
      'oidc.usernameClaim: "iss" is a claim about the token itself; name one about the person',
      'oidc.groupsClaim: "aud" is a claim about the token itself; name one about the person',
    ],
    [
      "the user's claim as that of groups",
      { groupsClaim: "sub" },
      `oidc.groupsClaim: "sub" is the claim with the user's name; name the one with groups`,
    ],
    [
      "a name in the claim that has the groups",
      { usernameClaim: "groups" },
      `oidc.usernameClaim: "groups" is the claim with the groups; set groupsClaim to another`,
    ],
    [
      "prefixes by the API server's word for none",
      { usernamePrefix: "-", groupsPrefix: "-" },
      `oidc.usernamePrefix: "-" is the word of the API server's flags for no prefix, and here a prefix like any other; set ""`,
      `oidc.groupsPrefix: "-" is the word of the API server's flags for no prefix, and here a prefix like any other; set ""`,
    ],
    [
      "scopes that are none",
      { issuerUrl, clientId, scopes: ["openid", "a,b", "a b", 'a"b', "", "ok"] },
      'oidc.scopes[0]: "openid" is asked for anyway; leave it out',
      'oidc.scopes[4]: "" must not be empty',
      ...['[1]: "a,b"', '[2]: "a b"', '[3]: "a\\"b"', '[4]: ""'].map((scope) => `oidc.scopes${scope} ${oneScope}`),
    ],
  ] as const) {
    it(`refuses a sign-in by ${what}`, () => {
      assert.deepEqual([...reported(oidc)].sort(), [...lines].sort());
    });
  }

  it("demands of the settings of sign-in what the API server demands of an issuer", () => {
    const must = "must be an https URL without user, query and fragment, such as https://id.example.org";
    const [plain, none] = ["http://id.example.org", "https://"];
    for (const url of [plain, none, "https://bob:secret@id.example.org", "https://id.example.org?tenant=1"]) {
      const shown = JSON.stringify(url).replace("bob:secret", "...");
      assert.deepEqual(reported({ issuerUrl: url, clientId }), [`oidc.issuerUrl: ${shown} ${must}`]);
    }
    assert.deepEqual(reported({ issuerUrl: "https://[::1", clientId }), [
      'oidc.issuerUrl: "https://[::1" must be a URL, such as https://id.example.org',
    ]);
  });

  it("demands an address of everybody where people sign in by email", () => {
    const entries = [{ member: "alice", type: "user" }, { member: "carl", type: "user", subject: "carl" }, ...members];
    const why = "is no email address, and oidc.usernameClaim is email: set subject to the member's address";
    assert.deepEqual(reported({ usernameClaim: "email" }, entries), [
      `members[0].member: "alice" ${why}`,
      `members[1].subject: "carl" ${why} (member 'carl')`,
    ]);
    assert.deepEqual(reported({ usernameClaim: "sub" }, entries), []);
  });

  it("refuses a text by email that no issuer sends as an address", () => {
    const of = (subject: string) => reported({ usernameClaim: "email" }, [{ member: "ada", type: "user", subject }]);
    const fine = ["ada@x.org", "Ada.B+cs101@sub.x-y.org", "o'neil@x.org", "ada@localhost", "jörg@bücher.example"];
    for (const subject of fine) {
      assert.deepEqual(of(subject), [], subject);
    }
    for (const [why, ...subjects] of [
      ["has more than one address", "ada@x.org; ada2@x.org", "ada@x.org,ada2@x.org", "ada@x.org/ada2@x.org"],
      ["has more in it than the address bob@x.org", "Bob B <bob@x.org>", "mailto:bob@x.org", "bob@x.org."],
      ["has a blank in it", "bob smith@x.org", "bob@x .org", "bob\u00a0smith@x.org", "bob\u3000@x.org"],
      ["is no email address", "bob@", "@x.org", "bob@@x.org"],
    ] as const) {
      for (const subject of subjects) {
        const shown = JSON.stringify(subject).replace("\u00a0", "\\u00a0");
        const message = `members[0].subject: ${shown} ${why}, and oidc.usernameClaim is email: set subject to the member's address (member 'ada')`;
        assert.deepEqual(of(subject), [message]);
      }
    }
  });
});
