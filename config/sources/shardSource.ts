import { isOfFamily, mostShards, shardIn, shardName, shardNames } from "../shards.ts";
import { isMap, unread } from "../values/maps.ts";
import { type Mistake, valueAt, valueText } from "../values/mistakes.ts";
import {
  encryptCommand,
  hasSecretKeys,
  isSecretKeysAlone,
  secretNames,
  secretPlaces,
  withoutSecretKeys,
} from "../values/secretKeys.ts";
import { projectConfig, readStackFile, stackNames } from "./files.ts";
import { withInherited } from "./inherited.ts";
import { hasSecret, type Source } from "./sources.ts";

/**
 * A stack's settings. A shard's are in its family's file, which the program reads itself, because Pulumi passes a stack
 * only its own configuration. Values that a shard couldn't read there are mistakes of the family's too.
 * @param own Pulumi's values for the stack, or the stack's file
 * @param folder the project's, with `Pulumi.yaml`
 */
export function withShards(own: Source, stack: string, folder: string): Source {
  const { shardOf: family, shards } = own.raw;
  if (family !== undefined) {
    return shardSource(own, family, stack, folder);
  }
  const file = shards === undefined ? undefined : readStackFile(folder, stack);
  return file === undefined
    ? own
    : { ...own, mistakes: [...own.mistakes, ...unreadable(file, stack), ...strangers(stack, folder)] };
}

function shardSource(own: Source, family: unknown, stack: string, folder: string): Source {
  const file = own.file === "" ? `Pulumi.${stack}.yaml` : own.file;
  const reported = (message: string, key = "shardOf"): Mistake => ({
    ...at(file, own.lineOf([key])),
    path: key,
    message,
  });
  const refused = (mistake: Mistake): Source => ({ ...own, file, raw: {}, mistakes: [...own.mistakes, mistake] });
  if (typeof family !== "string" || shardIn(stack, family) === undefined) {
    const names = `${shardName("NAME", 0)} to ${shardName("NAME", mostShards - 1)}`;
    return refused(
      reported(`${valueText(family)} does not fit stack '${stack}': the shards of a stack NAME are ${names}`),
    );
  }
  const source = readStackFile(folder, family);
  if (source === undefined || source.raw.shardOf !== undefined) {
    const why = source === undefined ? "there is no such file" : "that is the file of a shard itself";
    return refused(
      reported(`${valueText(family)} takes a Pulumi.${family}.yaml with settings and members, and ${why}`),
    );
  }
  const project = projectConfig(folder);
  const whole = withInherited({ ...source, hasEnvironment: false }, project);
  // Pulumi also passes on the project's values for all stacks.
  const inherited = withInherited({ ...own, raw: {}, mistakes: [], hasEnvironment: false }, project).raw;
  const inFile = readStackFile(folder, stack)?.raw ?? {};
  const ownKeys = Object.keys(own.raw).filter(
    (key) => key !== "shardOf" && (Object.hasOwn(inFile, key) || !Object.hasOwn(inherited, key)),
  );
  const others = ownKeys.filter((key) => !isSecretKeysAlone(key, own.raw[key]));
  const merged = withShardSecrets(whole, { ...own, file }, new Set(ownKeys));
  const noShards = `is missing, and ${file} is the file of a shard: set how many there are, or 0 to bring all back into one`;
  return {
    ...merged,
    raw: { ...merged.raw, shardOf: family },
    mistakes: [
      ...own.mistakes,
      ...others.map((key) => reported(noPlace(key, source.file), key)),
      ...whole.mistakes,
      ...(whole.raw.shards === undefined ? [{ file: source.file, path: "shards", message: noShards }] : []),
      ...unreadable(source, family),
      ...missingSecrets(source, { ...own, file }, stack),
    ],
  };
}

/** For settings with secrets, a shard's file may have the secrets only. */
const noPlace = (key: string, file: string) =>
  `has no place in the file of a shard${hasSecretKeys(key) ? `, but for ${secretNames(key)}` : ""}; ${file} has it for all of them`;

/** Values in a family's file that no other stack can read, except secret keys, which each shard's own file has. */
function unreadable(source: Source, family: string): Mistake[] {
  const { file, raw, hasEnvironment } = source;
  const shards = `and the shards of '${family}' are stacks of their own`;
  return [
    ...Object.entries(raw)
      .filter(([key, value]) => hasSecret(withoutSecretKeys(key, value)))
      .map(([key]) => ({
        ...at(file, source.lineOf([key])),
        path: key,
        message: `is encrypted for stack '${family}', ${shards}, which can't read it; write it as plain text${
          hasSecretKeys(key) ? `, all but ${secretNames(key)}` : ""
        }`,
      })),
    ...(hasEnvironment === true
      ? [
          {
            file,
            path: "environment",
            message: `adds what only stack '${family}' gets, ${shards}; write into this file what it adds to kubecamp's settings`,
          },
        ]
      : []),
  ];
}

/** Mistakes: other stacks with names of shards. Their members could not be told apart from the shards'. */
function strangers(family: string, folder: string): Mistake[] {
  return stackNames(folder).flatMap((stack) => {
    const source = shardIn(stack, family) === undefined ? undefined : readStackFile(folder, stack);
    const { shardOf } = source?.raw ?? {};
    const message = `is missing, and '${stack}' is a shard of '${family}' by its name: set it to ${family}, or rename that stack`;
    return source === undefined || shardOf === family ? [] : [{ file: source.file, path: "shardOf", message }];
  });
}

const at = (file: string, line: number | undefined) => ({ file, ...(line === undefined ? {} : { line }) });

type Path = readonly PropertyKey[];

/**
 * A family's settings with the secret keys of the shard's own file: Pulumi encrypts for one stack only. A key in plain
 * text in the family's file stays, because it is a mistake to report.
 * @param own the shard's file, or Pulumi's values for the shard
 * @param ownKeys keys of the settings that are in the shard's file
 */
function withShardSecrets(family: Source, own: Source, ownKeys: ReadonlySet<string>): Source {
  const keys = [...ownKeys].filter((key) => isSecretKeysAlone(key, own.raw[key]));
  const raw = Object.fromEntries(keys.map((key) => [key, own.raw[key]]));
  const taken = secretPlaces(raw).filter(
    (path) => valueAt(raw, path) !== undefined && typeof valueAt(family.raw, path) !== "string",
  );
  const isTaken = (path: Path) => taken.some((place) => place.every((key, at) => path[at] === key));
  const settings = { ...family.raw };
  for (const path of taken) {
    Object.assign(settings, withValue(settings, path, valueAt(raw, path)));
  }
  return {
    ...family,
    raw: settings,
    lineOf: (path) => (isTaken(path) ? undefined : family.lineOf(path)),
    isSecret: (path) => (isTaken(path) ? own.isSecret(path) : family.isSecret(path)),
    inheritedFrom: (path) => (isTaken(path) ? own.file : family.inheritedFrom?.(path)),
  };
}

/** Secret keys missing in a shard's file. None with an environment of Pulumi ESC, whose values only Pulumi sees. */
function missingSecrets(family: Source, own: Source, stack: string): Mistake[] {
  const missing = secretPlaces(family.raw).filter(
    (path) => valueAt(family.raw, path) === unread && valueAt(own.raw, path) === undefined,
  );
  return own.hasEnvironment === true
    ? []
    : missing.map((path) => ({
        file: own.file,
        path: path.join("."),
        message: `is missing: ${family.file} has it encrypted for its own stack alone; set it for this one, too: ${encryptCommand(path, stack)}`,
      }));
}

/** A copy of the map with another value at a path; creates the maps on the way to it. */
function withValue(map: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) {
    return value;
  }
  const base = isMap(map) && map !== unread ? map : {};
  return { ...base, [key]: withValue(base[String(key)], rest, value) };
}

/** Stacks that a name means: the shards of a split list, or the stack. `movesOf` lists the moves out of former ones. */
export function stacksOf(folder: string, stack: string): string[] {
  const own = readStackFile(folder, stack);
  const { shards, shardOf: family } = own === undefined ? {} : withInherited(own, projectConfig(folder)).raw;
  // An invalid number of shards is a mistake; a run of the stack itself reports it.
  const isSplit = family === undefined && typeof shards === "number" && shards > 0 && shards <= mostShards;
  return isSplit && Number.isInteger(shards) ? shardNames({ family: stack, count: shards }) : [stack];
}

/** Returns a test for the stacks on a cluster that a name means: with a split list, the whole family. */
export function isMeant(folder: string, stack: string): (other: string | undefined) => boolean {
  const isSplit = !stacksOf(folder, stack).includes(stack);
  return (other) => other === stack || (isSplit && other !== undefined && isOfFamily(other, { family: stack }));
}
