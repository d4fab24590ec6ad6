import type { Language } from "../options.ts";
import { en } from "./en.ts";
import { ja } from "./ja.ts";
import type { Words } from "./words.ts";

export const wordsIn: Readonly<Record<Language, Words>> = { en, ja };
