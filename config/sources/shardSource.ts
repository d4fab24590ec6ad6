import { hasSecretKeys, isSecretKeysAlone, withoutSecretKeys } from "../model/secretKeys.ts";
import { shardIn, shardName } from "../rules/shards.ts";
import { mostShards } from "../schema/values.ts";
import { projectConfig, readStackFile, stackNames } from "./files.ts";
import { withInherited } from "./inherited.ts";
import { type Mistake, valueText } from "./mistakes.ts";
import { missingSecrets, withShardSecrets } from "./shardSecrets.ts";
import { hasSecret, type Source } from "./sources.ts";

/**
 * The settings of a stack, wherever they stand: those of a shard in its family's file, which it reads itself, since Pulumi
 * hands a stack nothing but its own configuration. What a shard could not read there is a mistake of the family's, too.
 * @param own what Pulumi hands over for the stack, or what its file says
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
  // Pulumi hands over what the project has for all its stacks, too.
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

/** Of buckets' servers and keys, secrets alone are each shard's own. */
const noPlace = (key: string, file: string) =>
  `has no place in the file of a shard${hasSecretKeys(key) ? ", but for secretAccessKey" : ""}; ${file} has it for all of them`;

/** What a family's file has that no other stack can read, but for what each shard's own file has: secret keys. */
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
          hasSecretKeys(key) ? ", all but secretAccessKey" : ""
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

/** Other stacks with names of shards: whose members are whose could not be told. */
function strangers(family: string, folder: string): Mistake[] {
  return stackNames(folder).flatMap((stack) => {
    const source = shardIn(stack, family) === undefined ? undefined : readStackFile(folder, stack);
    const { shardOf } = source?.raw ?? {};
    const message = `is missing, and '${stack}' is a shard of '${family}' by its name: set it to ${family}, or rename that stack`;
    return source === undefined || shardOf === family ? [] : [{ file: source.file, path: "shardOf", message }];
  });
}

const at = (file: string, line: number | undefined) => ({ file, ...(line === undefined ? {} : { line }) });
