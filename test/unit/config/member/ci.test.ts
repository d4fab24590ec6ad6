import assert from "node:assert/strict";
import { configuration } from "../../samples.ts";

const audience = "https://k8s.example.org";
const github = { kind: "github", issuerUrl: "https://token.actions.githubusercontent.com", prefix: "github:" };
const stackOf = (ci: readonly object[], more: object = {}) =>
  configuration({ ci: { audience, ...more }, members: [{ member: "bob", type: "user", ci }] });

describe("CI jobs of a member", () => {
  it("gives CI jobs the names that the API server gives their tokens", () => {
    const school = { kind: "gitlab", issuerUrl: "https://gitlab.example.org:8443" };
    const jobs = [
      { issuer: "github", repository: "org/app", ref: "refs/heads/main" },
      { issuer: "github", repository: "org@1/app@2", ref: "refs/tags/v1" },
      { issuer: "github", repository: "org/app", environment: "production" },
      { issuer: "gitlab", repository: "group/sub/app", ref: "refs/heads/feature/x" },
      { issuer: "school", repository: "group/app", ref: "refs/tags/v1" },
    ];
    const { members } = stackOf([...jobs, { token: true }], { issuers: { school } });
    assert.deepEqual(members[0]?.ci, {
      subjects: [
        "github:repo:org/app:ref:refs/heads/main",
        "github:repo:org@1/app@2:ref:refs/tags/v1",
        "github:repo:org/app:environment:production",
        "gitlab:project_path:group/sub/app:ref_type:branch:ref:feature/x",
        "https://gitlab.example.org:8443#project_path:group/app:ref_type:tag:ref:v1",
      ],
      token: true,
    });
  });

  it("trusts the issuers of members' CI jobs", () => {
    const apiAudiences = ["https://kubernetes.default.svc.cluster.local", "https://kubernetes.default.svc"];
    const main = { issuer: "github", repository: "org/app", ref: "refs/heads/main" };
    assert.deepEqual(stackOf([main]).settings.ci, { audience, issuers: [github], apiAudiences });
    const own = { apiAudiences: ["https://k8s.internal"] };
    assert.deepEqual(stackOf([{ token: true }], own).settings.ci, { audience, issuers: [], ...own });
    assert.deepEqual(stackOf([]).settings.ci?.issuers, []);
    const { settings } = configuration({ members: [{ member: "bob", type: "user", ci: [{ token: true }] }] });
    assert.deepEqual(settings.ci, { issuers: [], apiAudiences });
    assert.equal("ci" in configuration({ members: [] }).settings, false);
    assert.equal("ci" in (stackOf([]).members[0] ?? {}), false);
  });
});
