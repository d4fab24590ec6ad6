import type { Configuration } from "../model/settings.ts";
import { projectConfig, readStackFile } from "./files.ts";
import { withInherited } from "./inherited.ts";
import { today } from "./load.ts";
import { withFiles } from "./pagesFolder.ts";
import { withShards } from "./shardSource.ts";
import { hasSecret, parseSources } from "./sources.ts";

/**
 * A stack's configuration where its files have all of it, in plain text: as Pulumi hands it over, without asking it.
 * @param folder the project's, with `Pulumi.yaml`
 * @returns undefined where something is encrypted or comes from elsewhere, or is a mistake, which Pulumi may see otherwise
 */
export function plainConfiguration(folder: string, stack: string): Configuration | undefined {
  const own = readStackFile(folder, stack);
  if (own === undefined || own.hasEnvironment === true) {
    return undefined;
  }
  const source = withShards(withInherited(own, projectConfig(folder)), stack, folder);
  if (hasSecret(source.raw)) {
    return undefined;
  }
  const parsed = parseSources(stack, withFiles(source, folder), today());
  return "configuration" in parsed ? parsed.configuration : undefined;
}
