import { z } from "zod";
import { imageRules } from "../rules/imageRules.ts";
import { imageEntryForm, parseImageEntry } from "../rules/images.ts";
import { text } from "./values.ts";

/** An image, or a pattern for several. */
const imagePattern = text
  .superRefine((value, context) => {
    const entry = parseImageEntry(value);
    if (typeof entry === "string" && value !== "") {
      context.addIssue(entry);
    }
  })
  .meta({ pattern: imageEntryForm });

/** For a list of this size, the API server can check a pod of a hundred containers within a policy's cost limit. */
const mostImages = 500;
/** All annotations of an object together have 256 KiB. A list takes two: the list itself and its rules. */
const mostCharacters = 200_000;

/** Allowed images; an empty list allows none. */
export const imageList = z
  .array(imagePattern, "must be a list of images")
  .max(mostImages, `must have at most ${mostImages} images: ghcr.io/acme/* stands for all below`)
  .superRefine((list, context) => {
    const characters = list.join("\n").length + (imageRules(list) ?? "").length;
    if (list.length <= mostImages && characters > mostCharacters) {
      context.addIssue(
        `comes to ${characters} characters with its rules, and an annotation has room for ${mostCharacters}: ghcr.io/acme/* stands for all below`,
      );
    }
  });
