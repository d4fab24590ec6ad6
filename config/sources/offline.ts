import { RunError } from "../values/runError.ts";

export const offlineVariable = "KUBECAMP_OFFLINE";

const meanings: Readonly<Record<string, boolean>> = { "": false, "0": false, false: false, "1": true, true: true };

/** Whether a run is without a cluster. @throws RunError for a strange value, and for any run but a preview */
export function isOffline(env: NodeJS.ProcessEnv, { isPreview }: { readonly isPreview: boolean }): boolean {
  const value = env[offlineVariable] ?? "";
  const offline = Object.hasOwn(meanings, value.toLowerCase()) ? meanings[value.toLowerCase()] : undefined;
  if (offline === undefined) {
    throw new RunError(
      `${offlineVariable} is '${value}', which means nothing: set it to 1 for a preview without a cluster, or unset it.`,
    );
  }
  if (offline && !isPreview) {
    throw new RunError(
      `${offlineVariable} is set, and this is no preview: only a preview does without a cluster. Nothing was changed.`,
      { remedy: `Run 'unset ${offlineVariable}', then run again.` },
    );
  }
  return offline;
}
