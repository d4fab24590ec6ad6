import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseDocument } from "yaml";
import { readStackFile, stackFile } from "../../config/sources/files.ts";
import { stacksOf } from "../../config/sources/shardSource.ts";
import { project, type Source } from "../../config/sources/sources.ts";
import { valueText } from "../../config/values/mistakes.ts";
import { isSecretKeysAlone } from "../../config/values/secretKeys.ts";
import { Problem, refuseMistakes } from "../common/problem.ts";
import { replaceFile } from "../common/replaceFile.ts";
import { assertProject, ownSource } from "../common/stackFile.ts";

interface FilesOptions {
  readonly stack: string;
  readonly folder: string;
}

/** Writes the file of each shard unless it exists, and keeps content that Pulumi has put there. */
export async function writeFiles({ stack, folder: path }: FilesOptions): Promise<void> {
  const folder = resolve(path);
  assertProject(folder);
  const own = ownSource(stack, folder);
  refuseMistakes(`${own.file} has mistakes.`, own.mistakes);
  const shards = stacksOf(folder, stack);
  if (shards.includes(stack)) {
    throw new Problem(`The members of stack '${stack}' are not split over shards.`, {
      why: `${stackFile(folder, stack)} has no kubecamp:shards from 1 on.`,
      remedy: `Set it to the number of shards: pulumi config set --stack ${stack} kubecamp:shards 8`,
    });
  }
  const files = shards.map((shard) => {
    const file = stackFile(folder, shard);
    const source = readStackFile(folder, shard);
    refuseMistakes(`${file} has mistakes.`, source?.mistakes ?? []);
    const before = source === undefined ? undefined : readFileSync(join(folder, file));
    return { file, before, text: shardText(shard, stack, source, before?.toString() ?? "") };
  });
  for (const { file, before, text } of files) {
    if (text !== undefined) {
      replaceFile(join(folder, file), before, text, file);
    }
    console.log(`${file}: ${text === undefined ? "as it was" : "written"}`);
  }
  console.log(`Init the stacks that Pulumi does not have yet, each with the secrets provider of '${stack}':
${shards.map((shard) => `  pulumi stack init ${shard} [--secrets-provider=URL]`).join("\n")}
Then bring them up: kubecamp up --stack ${stack}`);
}

/** Text of a shard's file, with the key and secrets that it has; undefined if it names the family already. */
function shardText(shard: string, family: string, source: Source | undefined, before: string): string | undefined {
  const { shardOf, ...settings } = source?.raw ?? {};
  const others = Object.keys(settings).filter((key) => !isSecretKeysAlone(key, settings[key]));
  if (others.length > 0 || (shardOf !== undefined && shardOf !== family)) {
    throw new Problem(`Pulumi.${shard}.yaml is the file of another stack.`, {
      why: `It has ${shardOf === undefined ? others.join(", ") : `kubecamp:shardOf ${valueText(shardOf)}`}.`,
      remedy: `Rename that stack, or empty the file: a shard of '${family}' reads that stack's settings.`,
    });
  }
  if (shardOf === family) {
    return undefined;
  }
  const document = parseDocument(before);
  document.setIn(["config", `${project}:shardOf`], family);
  document.commentBefore = ` A shard of '${family}', whose file has the settings and the members: docs/run/shards.md.`;
  return document.toString({ lineWidth: 0 });
}
