import { fenceText } from "./fence.ts";
import { previewFiles } from "./preview.ts";
import { watchFiles } from "./watch.ts";

/** The one of which parts alone are made. */
export const fencePath = "deploy/watch/fence.yaml";

/**
 * The files of deploy/ that are made from what runs declare and read, by their path in the project.
 * @param fence the one there is
 */
export const deployFiles = (fence: string): Readonly<Record<string, string>> => ({
  ...inFolder("deploy/preview", previewFiles()),
  ...inFolder("deploy/watch", watchFiles()),
  [fencePath]: fenceText(fence),
});

const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
