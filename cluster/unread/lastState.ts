import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { getOrganization, getProject, getRootDirectory, getStack } from "@pulumi/pulumi";

/** What a state file has, as far as it is read. */
interface Exported {
  readonly deployment?: {
    readonly resources?: readonly { readonly urn: string; readonly delete?: boolean }[] | null;
  } | null;
}

/**
 * Logical names of what Pulumi's state of this stack has; undefined where it can't be had. Pulumi's command line is asked:
 * the engine has functions for it too, but each run that calls one gets a provider for them, which shows as a change.
 * Secrets stay encrypted, and no lock is taken.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_stack_export/
 */
export async function lastState(): Promise<ReadonlySet<string> | undefined> {
  try {
    const stack = `${getOrganization()}/${getProject()}/${getStack()}`;
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const options = {
      cwd: getRootDirectory(),
      // More than fits into one text would end this process.
      maxBuffer: constants.MAX_STRING_LENGTH,
      // A backend that never answers must not hold up a preview for good.
      timeout: 120_000,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    };
    const { stdout } = await promisify(execFile)("pulumi", args, options);
    return namesIn(JSON.parse(stdout) as Exported);
  } catch {
    return undefined;
  }
}

/** Of what an earlier run was to delete and did not, nothing stands any more. */
export function namesIn({ deployment }: Exported): ReadonlySet<string> {
  const resources = (deployment?.resources ?? []).filter((resource) => resource.delete !== true);
  return new Set(resources.map(({ urn }) => urn.split("::").slice(3).join("::")));
}
