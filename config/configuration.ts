import type { z } from "zod";
import { type Mistake, mistakesOf, valueText } from "./mistakes.ts";
import { nearest } from "./nearest.ts";
import { limitsOf, type MemberContext, memberOf, memberTypesOf, settingsOf } from "./resolve.ts";
import { limitMistakes, memberMistakes, stackMistakes } from "./rules.ts";
import { memberSchema } from "./schema/member.ts";
import { settingsSchema } from "./schema/settings.ts";
import type { Configuration, Member } from "./settings.ts";

type ValidEntry = z.output<typeof memberSchema>;

/** A configuration that can be used, or everything that is wrong with it. */
export type Parsed = { readonly configuration: Configuration } | { readonly mistakes: readonly Mistake[] };

/**
 * Validates a stack's configuration as a whole, so that every mistake is told at once.
 * @param stack name of the Pulumi stack
 * @param raw the values under `kubecamp:`, by key
 * @param today the day of the run in UTC, as `2026-12-31`
 */
export function parseConfiguration(stack: string, raw: Readonly<Record<string, unknown>>, today: string): Parsed {
  const mistakes: Mistake[] = [...stackMistakes(stack)];
  const parsed = settingsSchema.safeParse(raw);
  if (!parsed.success) {
    mistakes.push(...mistakesOf(parsed.error, raw, [], keysOfSettings));
  }
  const entries = new Map<number, ValidEntry>();
  const list = Array.isArray(raw.members) ? raw.members : [];
  list.forEach((value: unknown, index) => {
    const entry = memberSchema.safeParse(value);
    if (entry.success) {
      entries.set(index, entry.data);
    } else {
      const found = mistakesOf(entry.error, value, ["members", index], () => Object.keys(memberSchema.shape));
      mistakes.push(...found.map((mistake) => named(mistake, value)));
    }
  });
  const settings = settingsOf(stack, parsed.success ? parsed.data : undefined);
  // On their own: a mistake elsewhere must not make the members' figures look wrong.
  const defaults = settingsSchema.shape.defaults.safeParse(raw.defaults).data;
  mistakes.push(...limitMistakes("defaults", "", defaults ?? {}, limitsOf(defaults)));
  const entry = parsed.data;
  const context: MemberContext = { settings, entry, types: memberTypesOf(entry?.memberTypes), today };
  const members = new Map<number, Member>();
  for (const [index, entry] of entries) {
    const type = context.types.get(entry.type);
    if (type === undefined) {
      const known = [...context.types.keys()];
      const message = `${valueText(entry.type)} is no member type${nearest(entry.type, known)} (${known.join(", ")})`;
      mistakes.push(named({ path: `members[${index}].type`, message }, entry));
    } else {
      members.set(index, memberOf(entry, type, context));
    }
  }
  mistakes.push(...memberMistakes(entries, members, settings));
  mistakes.sort((a, b) => memberIndex(a) - memberIndex(b));
  return mistakes.length > 0 ? { mistakes } : { configuration: { settings, members: [...members.values()] } };
}

/** Mistakes in members' entries come in the order of the list, after all others. */
function memberIndex({ path }: Mistake): number {
  return Number(/^members\[(\d+)\]/.exec(path)?.[1] ?? -1);
}

/** Says whose entry a mistake stands in: an index alone is hard to find in a long list. */
function named(mistake: Mistake, entry: unknown): Mistake {
  const name: unknown = typeof entry === "object" && entry !== null ? Reflect.get(entry, "member") : undefined;
  return typeof name === "string" && !mistake.path.endsWith(".member")
    ? { ...mistake, message: `${mistake.message} (member '${name}')` }
    : mistake;
}

function keysOfSettings(path: readonly PropertyKey[]): readonly string[] {
  const [key] = path;
  if (key === undefined) {
    return Object.keys(settingsSchema.shape);
  }
  const groups: Record<PropertyKey, { shape: object } | undefined> = {
    route: settingsSchema.shape.route,
    defaults: settingsSchema.shape.defaults.unwrap(),
    cluster: settingsSchema.shape.cluster.unwrap(),
    oidc: settingsSchema.shape.oidc.unwrap(),
    network: settingsSchema.shape.network.unwrap(),
  };
  return Object.keys(groups[key]?.shape ?? {});
}
