import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Member } from "../../config/member/member.ts";
import type { OidcSettings } from "../../config/oidc.ts";
import { projectConfig, readStackFile, stackFile, stackNames } from "../../config/sources/files.ts";
import { withInherited } from "../../config/sources/inherited.ts";
import { withFiles } from "../../config/sources/namedFiles.ts";
import { withShards } from "../../config/sources/shardSource.ts";
import { hasSecret, parseSources, type Source } from "../../config/sources/sources.ts";
import { utcDay } from "../../config/values/days.ts";
import { mistakeLines } from "../../config/values/mistakes.ts";
import { nearest } from "../../config/values/nearest.ts";
import { firstFew } from "../../config/values/sentences.ts";
import { orProblem, Problem } from "./problem.ts";

/** A stack as in its files, read without Pulumi: encrypted values and those of environments are missing. */
export type StackFile = ReturnType<typeof readStack>;

/** @throws Problem when a folder has no project */
export function assertProject(folder: string): void {
  if (!existsSync(join(folder, "Pulumi.yaml"))) {
    throw new Problem("There is no Pulumi project in this folder.", {
      why: `${folder} has no Pulumi.yaml.`,
      remedy: "Run the command in the project's folder, or name that.",
    });
  }
}

export const stacksIn = (folder: string): string[] =>
  orProblem(
    "The folder of the stacks' files can't be read.",
    "Correct stackConfigDir in Pulumi.yaml, or make that folder, then run again.",
    () => stackNames(folder),
  );

/** `; did you mean 'X'?` for a stack without a file in the folder, if one with a file has a name like it; else empty. */
export function nearestStack(stack: string, folder: string): string {
  const stacks = stacksIn(folder);
  return stacks.includes(stack) ? "" : nearest(stack, stacks);
}

export function ownSource(stack: string, folder: string): Source {
  const own = readStackFile(folder, stack);
  if (own !== undefined) {
    return own;
  }
  const stacks = stacksIn(folder);
  throw new Problem(`There is no stack '${stack}' in this folder${nearest(stack, stacks) || "."}`, {
    why: `${stackFile(folder, stack)} does not exist; the stacks are ${stacks.join(", ") || "none"}.`,
    remedy: "Name a stack that has a file with --stack.",
  });
}

/** A stack's own file with what it takes from the project's and, as a shard, from its family's. */
export const wholeSource = (own: Source, stack: string, folder: string): Source =>
  withShards(withInherited(own, projectConfig(folder)), stack, folder);

/** Reads a stack's configuration from its files. @throws Problem when there is none, or it has mistakes */
export function readStack(stack: string, folder: string) {
  assertProject(folder);
  const source = wholeSource(ownSource(stack, folder), stack, folder);
  const parsed = parseSources(stack, withFiles(source, folder), utcDay());
  if ("mistakes" in parsed) {
    throw new Problem(`The configuration of stack '${stack}' has mistakes.`, {
      why: mistakeLines(parsed.mistakes).join("\n"),
      remedy: "Correct them, then run again.",
    });
  }
  return { stack, configuration: parsed.configuration, source };
}

const mostNames = 10;

/** @throws Problem when there is no such member, with the nearest name */
export function memberNamed(name: string, { stack, configuration, source }: StackFile): Member {
  const { members } = configuration;
  const member = members.find((each) => each.name === name);
  if (member !== undefined) {
    return member;
  }
  const names = members.map((each) => each.name);
  const isPart = hasSecret(source.raw.members) || hasSecret(source.raw.memberTypes);
  throw new Problem(`There is no member '${name}' in stack '${stack}'${nearest(name, names) || "."}`, {
    why: isPart
      ? "The part of the list that can be read without Pulumi has no such member: the rest is encrypted, or comes from an environment."
      : `The list has ${firstFew(names, mostNames) || "nobody"}.`,
    remedy: isPart
      ? "Name another, or have the members in plain text."
      : "Name another, or add them to the list; 'members check' lists its mistakes.",
  });
}

export type Issuing = OidcSettings & Required<Pick<OidcSettings, "issuerUrl" | "clientId">>;

export function issuingOf(read: StackFile): Issuing {
  const issuing = issuingOrNone(read);
  if (issuing === undefined) {
    throw new Problem(`Stack '${read.stack}' does not say how its members sign in.`, {
      why: `kubecamp:oidc in ${read.source.file} has no issuerUrl and no clientId.`,
      remedy:
        "Set both: the issuer's URL, and the public client that it has for this cluster. docs/run/sign-in.md says how.",
    });
  }
  return issuing;
}

export function issuingOrNone({ stack, configuration, source }: StackFile): Issuing | undefined {
  const { oidc } = configuration.settings;
  const { issuerUrl, clientId } = oidc;
  if (hasSecret(source.raw.oidc)) {
    throw new Problem(`How members of stack '${stack}' sign in can't be read.`, {
      why: `Something in oidc is encrypted in ${source.file}, or may be set by an environment of Pulumi ESC; this command reads only files.`,
      remedy: `Set every key of kubecamp:oidc in ${source.file} as plain text, its defaults too: none is a secret. docs/run/sign-in.md has them.`,
    });
  }
  return issuerUrl === undefined || clientId === undefined ? undefined : { ...oidc, issuerUrl, clientId };
}
