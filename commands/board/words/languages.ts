import type { Language } from "../options.ts";
import { en, type Words } from "./en.ts";
import { ja } from "./ja.ts";

export const wordsIn: Readonly<Record<Language, Words>> = { en, ja };
