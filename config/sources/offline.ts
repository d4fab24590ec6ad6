import { RunError } from "../model/runError.ts";

/** The environment variable by which a preview does without any cluster. */
export const offlineVariable = "KUBECAMP_OFFLINE";

const meanings: Readonly<Record<string, boolean>> = { "": false, "0": false, false: false, "1": true, true: true };

/**
 * Whether the environment has a run do without any cluster.
 * @throws RunError for any other value than `1`, `true`, `0`, `false` or none, and for anything but a preview: without a look
 * at the cluster a run would overwrite what is somebody else's; nothing has been touched by then
 */
export function isOffline(env: NodeJS.ProcessEnv, isPreview: boolean): boolean {
  const value = env[offlineVariable] ?? "";
  const offline = meanings[value.toLowerCase()];
  if (offline === undefined) {
    throw new RunError(
      `${offlineVariable} is '${value}', which means nothing: set it to 1 for a preview without a cluster, or unset it.`,
    );
  }
  if (offline && !isPreview) {
    throw new RunError(
      `${offlineVariable} is set, and this is no preview: only a preview does without a cluster. Nothing has been touched.\n` +
        `Run 'unset ${offlineVariable}', then run again.`,
    );
  }
  return offline;
}
