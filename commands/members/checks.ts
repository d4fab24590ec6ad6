import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { lookAlikes } from "../../config/member/lookAlikes.ts";
import { issuerTrouble } from "../../config/oidc.ts";
import { sharedCertificate, sharedLogin } from "../../config/route/hosts.ts";
import { openControllers } from "../../config/route/openControllers.ts";
import type { Configuration } from "../../config/settings.ts";
import { projectConfig, readStackFile, readText, stackFile, stackNames } from "../../config/sources/files.ts";
import { withInherited } from "../../config/sources/inherited.ts";
import { withFiles } from "../../config/sources/namedFiles.ts";
import { withShards } from "../../config/sources/shardSource.ts";
import {
  hasSecret,
  membersSource,
  parseSources,
  type Source,
  type Sources,
  stackSource,
} from "../../config/sources/sources.ts";
import { leasesOver } from "../../config/staff.ts";
import { type Mistake, valueAt } from "../../config/values/mistakes.ts";
import { orProblem, Problem } from "../common/problem.ts";
import { assertProject, wholeSource } from "../common/stackFile.ts";

/** A list of members with its settings, checked; the file is relative to the current folder. */
export type Check = ReturnType<typeof checked>;

/** Sources to check, and the project's folder, to which their file names are relative. */
interface Subject {
  readonly folder: string;
  readonly stack: string | undefined;
  readonly sources: Sources;
}

/** Checks files, or all stacks in `here`, as a run would, except encrypted values, which count as correct. */
export function checkFiles(files: readonly string[], here: string, today: string): Check[] {
  const subjects = files.length === 0 ? projectSubjects(here) : files.flatMap((file) => subjectsOf(file, here));
  const ids = subjects.map(({ folder, stack, sources }) => `${folder} ${stack ?? ""} ${sources.stack.file}`);
  return subjects.filter((_, at) => ids.indexOf(ids[at] ?? "") === at).map((subject) => checked(subject, here, today));
}

/** Checks a stack's file or a members file as `checkFiles` does, with a content that is not written yet. */
export function checkEdited(file: string, content: Source, here: string, today: string): Check[] {
  const path = resolve(here, file);
  return subjectsOf(file, here).map((subject) => checked(withContent(subject, path, content), here, today));
}

function checked({ folder, stack, sources }: Subject, here: string, today: string) {
  const parsed = parseSources(stack ?? unnamed, sources, today);
  const named = (file: string) => relative(here, resolve(folder, file));
  const holder = sources.stack.raw.members === undefined ? (sources.members ?? sources.stack) : sources.stack;
  const { members } = holder.raw;
  const placed = (one: Mistake): Mistake => ({ ...one, file: named(one.file ?? sources.stack.file) });
  const configuration = "configuration" in parsed ? parsed.configuration : undefined;
  return {
    file: named(holder.file),
    stack,
    ownFile: holder !== sources.stack,
    // None of a list that can't be read here.
    members: Array.isArray(members) ? members.length : 0,
    isEmpty: Array.isArray(members) && members.length === 0,
    expired: (configuration?.members ?? []).flatMap(({ name, standing }) => (standing === "expired" ? [name] : [])),
    // Undefined for a list with mistakes.
    configuration,
    // Whether a run may take over namespaces of members who say nothing about that. A value that can't be read here may be true.
    adopts: (valueAt(sources.stack.raw, ["offboarding", "adopt"]) ?? false) !== false,
    mistakes: "mistakes" in parsed ? parsed.mistakes.map(placed) : [],
    warnings:
      configuration === undefined
        ? []
        : [
            ...(sources.stack.misplaced ?? []).map(placed),
            ...warningsOf(configuration, sources.stack, named),
            ...lookAlikes(configuration.members).map(
              (message): Mistake => ({
                file: named(holder.file),
                path: "members",
                message,
              }),
            ),
          ],
  };
}

function warningsOf(configuration: Configuration, stack: Source, named: (file: string) => string): Mistake[] {
  const trouble = issuerTrouble(configuration.settings.oidc);
  const all = [
    sharedCertificate(configuration),
    sharedLogin(configuration),
    // Labels that can't be read here are no missing ones.
    ...(hasSecret(stack.raw.network) || hasSecret(stack.raw.route) ? [] : openControllers(configuration)),
    trouble === undefined ? undefined : { path: "oidc.issuerUrl", message: trouble },
    ...leasesOver(configuration.settings, new Date()),
  ];
  return all.flatMap((warning) => {
    if (warning === undefined) {
      return [];
    }
    // `staff[2].until` is a path of three keys.
    const path = warning.path.split(/[.[\]]+/).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const inherited = stack.inheritedFrom?.(path);
    const line = inherited === undefined ? stack.lineOf(path) : undefined;
    return [{ file: named(inherited ?? stack.file), ...(line === undefined ? {} : { line }), ...warning }];
  });
}

function projectSubjects(folder: string): Subject[] {
  assertProject(folder);
  const stacks = stacksOf(folder);
  if (stacks.length === 0) {
    throw new Problem("There is nothing to check.", {
      why: `The project in ${folder} has no Pulumi.<stack>.yaml.`,
      remedy: "Make a stack with 'pulumi stack init', or name the files to check.",
    });
  }
  return stacks.filter(hasOwnMistakes).map((stack) => whole(stack, folder));
}

/** A shard has neither settings nor members of its own, so its family's check covers it. */
const hasOwnMistakes = ({ source }: Stack) =>
  source.raw.shardOf === undefined || source.mistakes.some(({ file }) => file !== source.file);

function subjectsOf(file: string, here: string): Subject[] {
  const path = resolve(here, file);
  const text = reading(file, () => readText(path));
  const folder = projectFolder(dirname(path)) ?? here;
  const stacks = stacksOf(folder);
  const ofStack = stacks.find(({ stack }) => resolve(folder, stackFile(folder, stack)) === path);
  if (ofStack !== undefined) {
    return [whole(ofStack, folder)];
  }
  const name = relative(folder, path);
  const [, elsewhere] = /^Pulumi\.(.+)\.yaml$/.exec(basename(path)) ?? [];
  if (elsewhere !== undefined) {
    return [whole({ stack: elsewhere, source: stackSource(name, text) }, folder)];
  }
  const namers = stacks.filter(hasOwnMistakes).filter(({ source: { raw } }) => {
    return typeof raw.membersFile === "string" && resolve(folder, raw.membersFile) === path;
  });
  return namers.length > 0
    ? namers.map((stack) => whole(stack, folder))
    : [{ folder, stack: undefined, sources: alone(name, text) }];
}

function withContent({ folder, stack, sources }: Subject, path: string, content: Source): Subject {
  const { members } = sources;
  if (members !== undefined && resolve(folder, members.file) === path) {
    return { folder, stack, sources: { ...sources, members: content } };
  }
  const own = withInherited(content, projectConfig(folder));
  const source = stack === undefined ? own : withShards(own, stack, folder);
  return { folder, stack, sources: { ...sources, stack: source } };
}

interface Stack {
  readonly stack: string;
  readonly source: Source;
}

function whole({ stack, source }: Stack, folder: string): Subject {
  return { folder, stack, sources: withFiles(source, folder) };
}

function projectFolder(folder: string): string | undefined {
  if (existsSync(join(folder, "Pulumi.yaml"))) {
    return folder;
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : projectFolder(parent);
}

function stacksOf(folder: string): Stack[] {
  return reading(folder, () =>
    stackNames(folder).flatMap((stack) => {
      const source = readStackFile(folder, stack);
      return source === undefined ? [] : [{ stack, source: wholeSource(source, stack, folder) }];
    }),
  );
}

const unnamed = "unnamed";

function alone(file: string, text: string): Sources {
  const stack: Source = {
    file,
    raw: { route: { host: "camp.example.org", controller: "traefik" }, membersFile: file },
    mistakes: [],
    lineOf: () => undefined,
    isSecret: () => false,
  };
  return { stack, members: membersSource(file, text) };
}

const reading = <T>(what: string, read: () => T): T =>
  orProblem(
    `Can't read ${what}.`,
    "Name a stack's Pulumi.<stack>.yaml or a members file that is there, may be read and is UTF-8.",
    read,
  );
