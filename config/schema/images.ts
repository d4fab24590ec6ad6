import { z } from "zod";
import { imageRules } from "../rules/imageRules.ts";
import { imageEntryForm, parseImageEntry } from "../rules/images.ts";
import { text } from "./values.ts";

/** One image, or several by a pattern. */
const imagePattern = text
  .superRefine((value, context) => {
    const entry = parseImageEntry(value);
    if (typeof entry === "string" && value !== "") {
      context.addIssue(entry);
    }
  })
  .meta({ pattern: imageEntryForm });

/** What the API server judges a pod of a hundred containers by, within the time that it gives a policy. */
const mostImages = 500;
/** All annotations of an object together have 256 KiB; a list stands there as it is, and as its rules. */
const mostCharacters = 200_000;

/** Images that are allowed; an empty list allows none. */
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
