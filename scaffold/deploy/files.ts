import { fenceText } from "./fence.ts";
import { previewFiles } from "./preview.ts";
import { watchFiles } from "./watch.ts";

/** The only file with both generated and hand-written parts. */
export const fencePath = "deploy/watch/fence.yaml";

/**
 * The generated files of deploy/, by their path in the project. They follow from the objects that runs declare and read.
 * @param fence text of the present fence file
 */
export const deployFiles = (fence: string): Readonly<Record<string, string>> => ({
  ...inFolder("deploy/preview", previewFiles()),
  ...inFolder("deploy/watch", watchFiles()),
  [fencePath]: fenceText(fence),
});

const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
