import { z } from "zod";
import { text } from "./values.ts";

/** One image, or several by a pattern. */
export const imagePattern = text;

/** Images that are allowed; an empty list allows none. */
export const imageList = z.array(imagePattern, "must be a list of images");
