import { z } from "zod";
import { ciKinds } from "../../model/members/ci.ts";
import { issuerUrl } from "../oidc.ts";
import { caText } from "../routes/certificates.ts";
import { choiceOf, dnsLabel, identity, optional, text } from "../values.ts";

const wildcard = /[*?]/;
const exact = (what: string) =>
  text.max(512, "must have at most 512 characters").refine((value) => !wildcard.test(value), {
    error: `must not have a wildcard: name one ${what}`,
    abort: true,
  });

/** With the IDs that newer repositories of GitHub have in `sub`, such as `org@123/app@456`. */
const repository = exact("repository").regex(
  /^[A-Za-z0-9_][\w.-]*(@\d+)?(\/[\w.-]+(@\d+)?)+$/,
  "must be the path of a repository, such as org/app, without a host",
);

/** @see https://git-scm.com/docs/git-check-ref-format */
const ref = exact("branch or tag").regex(
  /^refs\/(heads|tags)\/(?![./])(?!.*(\.\.|\/\/|\/\.|@\{|\.lock(\/|$)|[./]$))[^\s~^:[\\\p{Cc}]+$/u,
  "must be a branch or a tag in full, such as refs/heads/main or refs/tags/v1",
);

const environment = exact("environment").regex(
  /^[A-Za-z0-9][\w./-]*$/,
  "must be an environment of the repository: letters, digits, '_', '.', '/' and '-'",
);

const ciEntrySchema = z.strictObject(
  {
    issuer: optional(
      dnsLabel,
      "`github` (github.com), `gitlab` (gitlab.com) or one of `ci.issuers`. An entry has this or `token`. Default: none.",
      { examples: ["github"] },
    ),
    repository: optional(
      repository,
      "The repository's path, as in the `sub` of its tokens: GitHub adds IDs for repositories created or renamed since July 2026 (`org@123/app@456`). Default: none.",
      { examples: ["org/app"] },
    ),
    ref: optional(
      ref,
      "Branch or tag of the jobs, in full. An entry with `issuer` has this or `environment`. Default: none.",
      { examples: ["refs/heads/main"] },
    ),
    environment: optional(environment, "Environment of the jobs, with GitHub. Default: none.", {
      examples: ["production"],
    }),
    token: optional(
      z.literal(true, "must be true, or left out"),
      "`true`: the member may request tokens of the ServiceAccount `kubecamp-ci` for an hour, for clusters whose API server you can't configure. Default: none.",
    ),
  },
  "must be an entry of ci: an issuer with repository and ref, or token: true",
);

export const memberCiSchema = z
  .array(ciEntrySchema, "must be a list of CI jobs")
  .max(20, "must have at most 20 entries");

export const ciSchema = z.strictObject(
  {
    audience: optional(
      identity,
      "The `aud` of jobs' tokens: a name of this cluster, and of no other. Required with members' `issuer`. Default: none.",
      { examples: ["https://k8s.example.org"] },
    ),
    issuers: optional(
      z.record(
        dnsLabel,
        z.strictObject(
          {
            kind: choiceOf(ciKinds).meta({ description: "`github` (Enterprise Server) or `gitlab` (self-managed)." }),
            issuerUrl: issuerUrl.meta({
              description: "The `iss` of tokens: `https://HOST/_services/token` for GitHub, `https://HOST` for GitLab.",
              examples: ["https://gitlab.example.org"],
            }),
            ca: optional(caText, "The issuer's CA certificate, in PEM. Default: the API server's CAs."),
          },
          "must be an issuer: its kind and its issuerUrl",
        ),
        "must be a map of issuers",
      ),
      "Self-hosted issuers by name: `kind`, `issuerUrl`, and `ca` for a private CA. Default: only `github` and `gitlab`.",
    ),
    apiAudiences: optional(
      z.array(identity, "must be a list of audiences").min(1, "must not be empty"),
      "Audiences of `kubecamp-ci`'s tokens, as in the API server's `--api-audiences`. Default: `https://kubernetes.default.svc`, with and without `cluster.domain`.",
      { examples: [["https://kubernetes.default.svc.cluster.local"]] },
    ),
  },
  "must be a map",
);

/** An entry of a member's `ci`. */
export type CiEntry = z.input<typeof ciEntrySchema>;
export type CiSettingsEntry = z.input<typeof ciSchema>;
