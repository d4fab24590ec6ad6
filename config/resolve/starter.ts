import { given } from "../model/maps.ts";
import type { StarterMode } from "../model/members/member.ts";
import { defaultStarter, defaultStarterMode } from "../model/settings/defaults.ts";
import type { StarterSettings } from "../model/settings/settings.ts";
import { imageFilter, imageRules } from "../rules/imageRules.ts";
import type { Valid } from "../schema/issues.ts";
import type { MemberEntry } from "../schema/members/member.ts";
import type { SettingsEntry } from "../schema/settings.ts";
import { typeEntryOf } from "./members/memberTypes.ts";

/**
 * The settings of starter apps with every default filled in.
 * @param inFolder content of `pagesFolder`; undefined if that is not set
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

/** Mode of a member's starter app: the member's own, the type's or the stack's; undefined for none. */
export function starterModeOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): StarterMode | undefined {
  const mode = entry.starter ?? typeEntryOf(entry, stack)?.starter ?? stack.starter?.mode ?? defaultStarterMode;
  return mode === "off" ? undefined : mode;
}

/** The images, with the starter's added unless it is allowed already. */
export function withStarterImage(images: readonly string[], image: string): readonly string[] {
  const rules = imageRules(images);
  return rules === undefined || imageFilter(rules)(image) ? images : [...images, image];
}
