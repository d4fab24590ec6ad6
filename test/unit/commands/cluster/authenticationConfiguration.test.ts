import assert from "node:assert/strict";
import {
  authenticationConfiguration,
  authenticationConfigurationFor,
} from "../../../../commands/cluster/authenticationConfiguration.ts";
import { Problem } from "../../../../commands/common/problem.ts";
import { evaluated } from "../../cel.ts";
import { ca } from "../../certificates.ts";
import { configuration, route } from "../../samples.ts";
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
      route,
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

const issuing = { issuerUrl: "https://id.example.org", clientId: "kubernetes" };

/** Output for a stack with these settings. */
const made = (oidc: object) =>
  authenticationConfiguration({ ...configuration({ members: [], oidc }).settings.oidc, ...issuing });

const userValidationRules = [
  {
    expression: "!user.username.startsWith('system:')",
    message: "user names that start with system: are Kubernetes' own",
  },
  {
    expression: "user.groups.all(group, !group.startsWith('system:'))",
    message: "groups that start with system: are Kubernetes' own",
  },
];

const jobs = [
  { issuer: "gitlab", repository: "org/app", ref: "refs/heads/main" },
  { issuer: "github", repository: "org/app", ref: "refs/heads/main" },
  { issuer: "school", repository: "org/app", ref: "refs/heads/main" },
];

describe("the API server's AuthenticationConfiguration", () => {
  it("the configuration has the issuers of CI jobs with prefixes, without groups and proposals", () => {
    const school = { kind: "gitlab", issuerUrl: "https://gitlab.example.org", ca };
    const { settings } = configuration({
      ci: { audience: "https://k8s.example.org", issuers: { school } },
      members: [{ member: "bob", type: "user", ci: jobs }],
    });
    const audiences = ["https://k8s.example.org"];
    const ofGitLab = {
      expression:
        "claims.?pipeline_source.orValue('') in ['api', 'pipeline', 'push', 'schedule', 'trigger', 'web'] && " +
        "['refs/heads/', 'refs/tags/'].exists(start, claims.?ref_path.orValue('').startsWith(start))",
      message: "only pipelines of a branch or tag may deploy, from api, pipeline, push, schedule, trigger, web",
    };
    assert.deepEqual(authenticationConfiguration(undefined, settings.ci).jwt, [
      {
        issuer: { url: "https://token.actions.githubusercontent.com", audiences },
        claimValidationRules: [
          {
            expression:
              "claims.?event_name.orValue('') in " +
              "['push', 'release', 'repository_dispatch', 'schedule', 'workflow_dispatch'] && " +
              "['refs/heads/', 'refs/tags/'].exists(start, claims.?ref.orValue('').startsWith(start))",
            message:
              "only jobs of a branch or tag may deploy, on push, release, repository_dispatch, schedule, workflow_dispatch",
          },
        ],
        claimMappings: { username: { claim: "sub", prefix: "github:" } },
      },
      {
        issuer: { url: "https://gitlab.com", audiences },
        claimValidationRules: [ofGitLab],
        claimMappings: { username: { claim: "sub", prefix: "gitlab:" } },
      },
      {
        issuer: { url: "https://gitlab.example.org", audiences, certificateAuthority: ca },
        claimValidationRules: [ofGitLab],
        claimMappings: { username: { claim: "sub", prefix: "https://gitlab.example.org#" } },
      },
    ]);
    const both = authenticationConfiguration({ ...settings.oidc, ...issuing }, settings.ci).jwt;
    assert.deepEqual([both.length, both[0]?.issuer.url], [4, "https://id.example.org"]);
  });

  describe("of jobs", () => {
    const { settings } = configuration({
      ci: { audience: "https://k8s.example.org" },
      members: [{ member: "bob", type: "user", ci: jobs.slice(0, 2) }],
    });
    const [ofGitHub, ofGitLab] = authenticationConfiguration(undefined, settings.ci).jwt;
    const lets = (authenticator: typeof ofGitHub, claims: object) =>
      (authenticator?.claimValidationRules ?? []).every(({ expression }) => evaluated(expression, { claims }) === true);
    const [branch, tag] = ["refs/heads/main", "refs/tags/v1"];

    it("lets jobs deploy on what somebody with write access does to a branch or tag", () => {
      for (const ref of [branch, tag]) {
        assert.equal(lets(ofGitHub, { event_name: "workflow_dispatch", ref }), true);
        assert.equal(lets(ofGitLab, { pipeline_source: "web", ref_path: ref }), true);
      }
    });

    it("lets no job deploy on anything else, which may give it the default branch as its ref", () => {
      const events = [
        ...["pull_request", "pull_request_target", "issue_comment", "workflow_run", "merge_group", "Push"],
        ...["merge_request_event", "external_pull_request_event", "parent_pipeline", "chat", "", undefined],
      ];
      assert.deepEqual(
        events.filter(
          (event) =>
            lets(ofGitHub, { event_name: event, ref: branch }) ||
            lets(ofGitLab, { pipeline_source: event, ref_path: branch }),
        ),
        [],
      );
    });

    it("lets none deploy of another ref, whatever they say of the event", () => {
      const refs = ["refs/pull/1/merge", "refs/merge-requests/1/head", "refs/pipelines/1", "main", "", undefined];
      assert.deepEqual(
        refs.filter((ref) => lets(ofGitHub, { event_name: "push", ref })),
        [],
      );
      assert.deepEqual(
        refs.filter((ref_path) => lets(ofGitLab, { pipeline_source: "push", ref_path })),
        [],
      );
    });
  });

  it("the configuration has issuer and client, and the claims and prefixes of bindings", () => {
    assert.deepEqual(made(issuing), {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: "https://id.example.org", audiences: ["kubernetes"] },
          claimMappings: {
            username: { claim: "sub", prefix: "oidc:" },
            groups: { claim: "groups", prefix: "oidc:" },
          },
          userValidationRules,
        },
      ],
    });
  });

  it("the configuration has the issuer's CA, and asks for verified addresses of users", () => {
    const oidc = {
      ...issuing,
      ca,
      usernameClaim: "email",
      groupsClaim: "roles",
      usernamePrefix: "",
      groupsPrefix: "g:",
    };
    const [authenticator] = made(oidc).jwt;
    assert.deepEqual(authenticator, {
      issuer: { url: "https://id.example.org", audiences: ["kubernetes"], certificateAuthority: ca },
      claimValidationRules: [
        {
          expression: "claims.?email_verified.orValue(false) == true",
          message: "the token does not say that the email address was verified",
        },
      ],
      claimMappings: { username: { claim: "email", prefix: "" }, groups: { claim: "roles", prefix: "g:" } },
      userValidationRules,
    });
  });
});
