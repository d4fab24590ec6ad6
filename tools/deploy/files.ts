import { withLists } from "../../watch/manifests/fence.ts";
import { previewFiles } from "./preview.ts";
import { alertsText, watchFiles } from "./watch.ts";

/** The only file with both generated and hand-written parts. */
export const fencePath = "watch/manifests/fence.yaml";

/**
 * The generated files of deploy/, by their path in the project. They follow from the objects that runs declare and read.
 * @param fence text of the present fence file
 */
export function deployFiles(fence: string): Readonly<Record<string, string>> {
  const current = withLists(fence);
  return {
    ...inFolder("deploy/preview", previewFiles()),
    ...inFolder("deploy/watch", watchFiles()),
    "deploy/monitoring/alerts.yaml": alertsText(),
    [fencePath]: current,
  };
}

const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
