import assert from "node:assert/strict";
import { unread } from "../../../../config/values/maps.ts";
import { mistakes } from "../../samples.ts";

const ci = { audience: "https://k8s.example.org" };
const main = { issuer: "github", repository: "org/app", ref: "refs/heads/main" };
const ada = { member: "ada", type: "user" };

const mistakesOf = (entries: unknown, more: object = {}, member: object = {}) =>
  mistakes({ ci, members: [{ ...ada, ...member, ci: entries }], ...more });

describe("mistakes in ci", () => {
  it("takes CI jobs by branches, tags, environments, IDs, own issuers and tokens", () => {
    const issuers = {
      school: { kind: "gitlab", issuerUrl: "https://gitlab.example.org" },
      company: { kind: "github", issuerUrl: "https://github.example.org/_services/token" },
    };
    const entries = [
      ...[main, { ...main, ref: "refs/tags/v1.0" }, { ...main, ref: "refs/heads/feature/x_y" }, { token: true }],
      ...[
        { ...main, issuer: "school" },
        { ...main, issuer: "company" },
      ],
      { issuer: "github", repository: "org/app", environment: "production" },
      { ...main, repository: "org@123456/app@456789" },
      { ...main, issuer: "gitlab", repository: "group/sub/app" },
    ];
    assert.deepEqual(mistakesOf(entries, { ci: { ...ci, issuers } }), []);
    assert.deepEqual(mistakesOf([{ token: true }], { ci: undefined }), []);
    // An encrypted entry is not judged.
    assert.deepEqual(mistakesOf([main, { ...main, issuer: "school" }], { ci: unread }), []);
  });

  it("refuses CI jobs of what is no repository or ref, and wildcards", () => {
    const ofBranch = "must be a branch or a tag in full, such as refs/heads/main or refs/tags/v1";
    const refs = ["main", "refs/heads/", "refs/pull/7/merge", "refs/heads/a..b", "refs/heads/a b", "refs/heads/x.lock"];
    const lines = refs.map((ref, at) => `members[0].ci[${at}].ref: ${JSON.stringify(ref)} ${ofBranch} (member 'ada')`);
    assert.deepEqual(mistakesOf(refs.map((ref) => ({ ...main, ref }))), lines);
    const ofRepository = "must be the path of a repository, such as org/app, without a host";
    for (const repository of ["app", "https://github.com/org/app", "org/app/", "org//app", "org/a:b", "org/a b"]) {
      const line = `members[0].ci[0].repository: ${JSON.stringify(repository)} ${ofRepository} (member 'ada')`;
      assert.deepEqual(mistakesOf([{ ...main, repository }]), [line]);
    }
    assert.deepEqual(mistakesOf([{ ...main, repository: "org/*", ref: "refs/heads/*" }]), [
      `members[0].ci[0].repository: "org/*" must not have a wildcard: name one repository (member 'ada')`,
      `members[0].ci[0].ref: "refs/heads/*" must not have a wildcard: name one branch or tag (member 'ada')`,
    ]);
    assert.deepEqual(mistakesOf([{ issuer: "github", repository: "org/app", environment: "pro*" }]), [
      `members[0].ci[0].environment: "pro*" must not have a wildcard: name one environment (member 'ada')`,
    ]);
  });

  it("refuses CI jobs of unknown issuers, and by what these issuers' tokens do not say", () => {
    const gitlab = { issuer: "gitlab", repository: "org/app", environment: "production" };
    const withId = { ...main, issuer: "gitlab", repository: "org@1/app@2" };
    const found = mistakesOf([{ ...main, issuer: "gihub" }, gitlab, withId, { ...main, repository: "org/sub/app" }]);
    assert.deepEqual(found, [
      `members[0].ci[0].issuer: "gihub" is no issuer; did you mean 'github'? (github, gitlab) (member 'ada')`,
      "members[0].ci[1].environment: is not in the subject of GitLab's tokens; set ref (member 'ada')",
      `members[0].ci[2].repository: "org@1/app@2" has an ID, which GitLab's tokens have not; leave it out (member 'ada')`,
      `members[0].ci[3].repository: "org/sub/app" must be OWNER/REPOSITORY (member 'ada')`,
    ]);
  });

  it("refuses entries for CI jobs that lack something or have too much", () => {
    const bare = { issuer: "github", repository: "org/app" };
    const needs = "needs one of ref and environment: the jobs of which branch, tag or environment? (member 'ada')";
    assert.deepEqual(mistakesOf([{}, bare, { ...main, environment: "x" }, { ...main, token: true }]), [
      `members[0].ci[0]: ${needs}`,
      "members[0].ci[0].issuer: is missing: set it to github, gitlab or one of ci.issuers, or set token: true (member 'ada')",
      "members[0].ci[0].repository: is missing: set it to the repository's path, such as org/app (member 'ada')",
      `members[0].ci[1]: ${needs}`,
      `members[0].ci[2]: ${needs}`,
      "members[0].ci[3]: has a token beside an issuer's jobs; make it two entries (member 'ada')",
    ]);
  });

  it("refuses CI jobs of two members, twice in a list, and of who only looks", () => {
    const members = [
      { ...ada, ci: [main, main] },
      { member: "bob", type: "user", ci: [main] },
      { member: "eve", type: "user", home: "view", ci: [{ token: true }] },
    ];
    const name = '"github:repo:org/app:ref:refs/heads/main"';
    assert.deepEqual(mistakes({ ci, members }), [
      `members[0].ci[1]: ${name} is listed twice; keep one (member 'ada')`,
      `members[1].ci[0]: ${name} deploys for members[0] (ada) already; a job has one namespace (member 'bob')`,
      "members[2].ci: is for members who run workloads: set home: edit, or leave it out (member 'eve')",
    ]);
  });

  it("refuses CI jobs that could be people: by a prefix, a member's subject, and one of staff", () => {
    const subject = "github:repo:org/app:ref:refs/heads/main";
    const lets = (prefix: string) =>
      `oidc.usernamePrefix: "${prefix}" lets people have names of members' ci, which start with github:; set another prefix, such as oidc:`;
    const tina = { subject: "github:repo:org/app:environment:prod", role: "view" };
    const jobs = [main, { issuer: "github", repository: "org/app", environment: "prod" }];
    const members = [
      { ...ada, subject },
      { member: "bob", type: "user", ci: jobs },
    ];
    assert.deepEqual(mistakes({ ci, oidc: { usernamePrefix: "" }, members, staff: [tina] }), [
      lets(""),
      `members[1].ci[0]: "${subject}" is how members[0] (ada) signs in; a job is no person (member 'bob')`,
      `members[1].ci[1]: "${tina.subject}" is one of staff; a job is no person (member 'bob')`,
    ]);
    assert.deepEqual(mistakesOf([main], { oidc: { usernamePrefix: "github:repo:" } }), [lets("github:repo:")]);
    assert.deepEqual(mistakesOf([{ token: true }], { oidc: { usernamePrefix: "" } }), []);
  });

  it("refuses issuers of CI jobs that are there twice or let people sign in, and no audience", () => {
    const gitlab = { kind: "gitlab", issuerUrl: "https://gitlab.com" };
    const own = { kind: "gitlab", issuerUrl: "https://gitlab.example.org" };
    const issuers = { github: own, mine: gitlab, one: own, two: own };
    assert.deepEqual(mistakesOf([{ ...main, issuer: "one" }], { ci: { issuers } }), [
      "ci.audience: is missing, and members have ci: set it to a name of this cluster alone, such as its API server's URL",
      "ci.issuers.github: is built in, as https://token.actions.githubusercontent.com; choose another name",
      `ci.issuers.mine.issuerUrl: "https://gitlab.com" is issuer 'gitlab' already; name that`,
      `ci.issuers.two.issuerUrl: "https://gitlab.example.org" is issuer 'one' already; name that`,
    ]);
    const oidc = { issuerUrl: "https://gitlab.com", clientId: "kubernetes" };
    assert.deepEqual(mistakesOf([main], { oidc }), []);
    assert.deepEqual(mistakesOf([{ ...main, issuer: "gitlab" }], { oidc }), [
      `oidc.issuerUrl: "https://gitlab.com" is the issuer 'gitlab' of members' ci too, and the API server takes an issuer once; let people sign in at another, or give members ci with token: true`,
    ]);
  });
});
