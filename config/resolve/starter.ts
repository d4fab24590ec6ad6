import { defaultStarter, defaultStarterMode } from "../model/defaults.ts";
import type { StarterMode, StarterSettings } from "../model/settings.ts";
import { imageFilter, imageRules } from "../rules/imageRules.ts";
import type { Valid } from "../schema/issues.ts";
import type { MemberEntry } from "../schema/member.ts";
import type { SettingsEntry } from "../schema/settings.ts";
import { given } from "./given.ts";
import { typeEntryOf } from "./limits.ts";

/**
 * The settings of starter apps with every default filled in.
 * @param inFolder the pages of `pagesFolder`; undefined where it is not set
 */
export function starterSettingsOf(
  entry: Valid<SettingsEntry>["starter"],
  inFolder?: Readonly<Record<string, string>>,
): StarterSettings {
  const pages = inFolder ?? (entry?.pages as StarterSettings["pages"]);
  return {
    ...defaultStarter,
    ...given(entry ?? {}, "image", "port", "replicas", "cpuMillicores", "memoryMiB"),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** What a member's starter app is to be: as they say, or their type, or the stack; undefined for none. */
export function starterModeOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): StarterMode | undefined {
  const mode = entry.starter ?? typeEntryOf(entry, stack)?.starter ?? stack.starter?.mode ?? defaultStarterMode;
  return mode === "off" ? undefined : mode;
}

/** A list of images that allows the starter's too; as it is where it does already. */
export function withStarterImage(images: readonly string[], image: string): readonly string[] {
  const rules = imageRules(images);
  return rules === undefined || imageFilter(rules)(image) ? images : [...images, image];
}
