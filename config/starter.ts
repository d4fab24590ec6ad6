import { z } from "zod";
import { parseImage, parseImageEntry } from "./images.ts";
import type { MemberLimits } from "./member/limits.ts";
import { isQuotaDeclared, memberLimitsOf } from "./member/quotas.ts";
import { defaultStarterMode, starterModeOf } from "./member/resolved.ts";
import { starterMode, typeEntryOf } from "./member/types.ts";
import type { Candidate, Rule, RuleContext } from "./rule.ts";
import type { EntryOf } from "./values/issues.ts";
import { defined, given } from "./values/maps.ts";
import { pathText, plainMistake, type RawMistake } from "./values/mistakes.ts";
import { amount, containerCpu, memory, optional, text } from "./values/values.ts";

export interface StarterShare {
  readonly key: "maxCPUm" | "maxMemoryMiB" | "maxPods" | "maxEphemeralStorageMiB";
  /** Use of one pod; `most` is the limit. */
  readonly each: number;
  readonly most: number;
  readonly unit: string;
  /** Settings that reduce it, besides `starter.replicas`. */
  readonly less: readonly string[];
}

const image = text.superRefine((value, context) => {
  const entry = parseImageEntry(value);
  const reference = value.includes("*") ? undefined : parseImage(value);
  if (value !== "" && (typeof entry === "string" || reference === undefined)) {
    const isPattern = typeof entry !== "string" || value.includes("*");
    context.addIssue(isPattern ? "must be one image, such as docker.io/library/caddy:2, and no pattern" : entry);
  }
});

const defaultStarter = {
  image: "docker.io/library/caddy:2",
  port: 8080,
  replicas: 1,
  cpuMillicores: 50,
  memoryMiB: 64,
} as const;

type Pages = Readonly<Record<string, string>>;

const pageName = z
  .string()
  .max(253, "must have at most 253 characters")
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9._-]*\.md$/,
    "can't be a page's name: A-Z, a-z, 0-9, '.', '_' and '-', with .md at its end",
  );

/** The page at the path's own address. */
export const indexPage = "index.md";

/** A ConfigMap has 1 MiB for all its content. */
const mostKibibytes = 900;

/** The message about a mistake in the pages as a whole, to follow their source; undefined if there is none. */
export function pagesProblem(pages: Pages): string | undefined {
  const names = Object.keys(pages);
  const bytes = Object.values(pages).reduce((sum, page) => sum + Buffer.byteLength(page), 0);
  if (!names.includes(indexPage)) {
    return `has no ${indexPage}, the page that a member's path begins with${names.length === 0 ? "" : ` (it has ${names.slice(0, 5).join(", ")})`}`;
  }
  return bytes > mostKibibytes * 1024
    ? `has ${Math.ceil(bytes / 1024)} KiB of pages, and a ConfigMap has room for ${mostKibibytes}; leave some out`
    : undefined;
}

export const isPageName = (name: string) => pageName.safeParse(name).success;

const starterModes = "`once` creates it and leaves it to the member, `kept` keeps it as declared, `off` creates none.";

export const starterSchema = optional(
  z
    .strictObject(
      {
        mode: optional(starterMode, `Starter app, unless the type or the member has another: ${starterModes}`, {
          default: defaultStarterMode,
        }),
        image: optional(
          image,
          "Image that serves the pages: Caddy (a name that ends in `/caddy`), or one that serves `/pages` on `port` as user 65532.",
          { default: defaultStarter.image },
        ),
        port: optional(amount(1024, 65_535, "ports"), "The container's port, at least 1024.", {
          default: defaultStarter.port,
        }),
        replicas: optional(amount(1, 10, "replicas"), "Pods.", { default: defaultStarter.replicas }),
        cpuMillicores: optional(
          containerCpu,
          "CPU of a pod, in thousandths, at least 10; times `replicas`, at most `maxCPUm`.",
          { default: defaultStarter.cpuMillicores },
        ),
        memoryMiB: optional(memory, "Memory of a pod, in MiB; times `replicas`, at most `maxMemoryMiB`.", {
          default: defaultStarter.memoryMiB,
        }),
        pages: optional(
          z.record(pageName, z.string("must be a text"), "must be a map of pages").superRefine((pages, context) => {
            const problem = pagesProblem(pages);
            if (problem !== undefined) {
              context.addIssue(problem);
            }
          }),
          "Markdown by file name, with `index.md`; `{member}`, `{namespace}`, `{url}` and `{limits}` become the member's. Default: one page that says how to go on.",
        ),
        pagesFolder: optional(
          text,
          "Instead of `pages`: a folder of `.md` files, relative to the project. Default: none.",
        ),
      },
      "must be a map",
    )
    .superRefine(({ pages, pagesFolder }, context) => {
      if (pages !== undefined && pagesFolder !== undefined) {
        context.addIssue({
          code: "custom",
          path: ["pagesFolder"],
          message: "is set beside pages; keep one of the two",
        });
      }
    }),
  "A first app on members' paths. See [starter.md](../run/starter.md).",
  { examples: [{ mode: "once", pages: { "index.md": "# Welcome, {member}\n\n{limits}\n" } }] },
);

/** Settings shared by all starter apps; such an app answers on a member's path from the first run on. */
type StarterSettings = Readonly<ReturnType<typeof starterSettingsOf>>;

/** @param inFolder content of `pagesFolder`; undefined if that is not set */
export const starterSettingsOf = (entry: EntryOf<typeof starterSchema> = {}, inFolder?: Pages) => ({
  ...defaultStarter,
  ...given(entry, "image", "port", "replicas", "cpuMillicores", "memoryMiB"),
  ...defined({ pages: inFolder ?? (entry.pages as Pages | undefined) }),
});

/** Whether an image is Caddy, from any registry. Other images may not render Markdown. */
export const isCaddy = ({ image }: Pick<StarterSettings, "image">) =>
  parseImage(image)?.repository.endsWith("/caddy") === true;

/** Shares of all figures that a quota counts for a starter pod. Its ephemeral storage comes from the LimitRange. */
export function starterShares(
  { cpuMillicores, memoryMiB }: Pick<StarterSettings, "cpuMillicores" | "memoryMiB">,
  limits: MemberLimits,
): StarterShare[] {
  return [
    {
      key: "maxCPUm",
      each: cpuMillicores,
      most: limits.maxCpuMillicores,
      unit: "thousandths of a CPU",
      less: ["starter.cpuMillicores"],
    },
    {
      key: "maxMemoryMiB",
      each: memoryMiB,
      most: limits.maxMemoryMiB,
      unit: "MiB of memory",
      less: ["starter.memoryMiB"],
    },
    { key: "maxPods", each: 1, most: limits.pods, unit: "pods", less: [] },
    {
      key: "maxEphemeralStorageMiB",
      each: limits.defaultEphemeralStorageMiB,
      most: limits.maxEphemeralStorageMiB,
      unit: "MiB of ephemeral storage",
      less: ["defaultEphemeralStorageMiB"],
    },
  ];
}

/** Whether this many starter pods fit into a member's otherwise empty quota. */
export const starterFits = (starter: StarterSettings, limits: MemberLimits, pods: number): boolean =>
  starterShares(starter, limits).every(({ each, most }) => pods * each <= most);

/** Each mistake is reported once, with one of the members. */
export const starterRule: Rule = (all) => {
  const troubles = all.candidates.flatMap((candidate) => {
    const { entry, wrong } = candidate;
    const isClear = all.isKnown("starter") && !wrong.has("starter");
    const hasStarter = isClear && starterModeOf(entry, all.entry) !== undefined;
    return (hasStarter ? [...tooMuch(candidate, all), ...unspoken(candidate, all)] : []).map((message) => ({
      name: entry.member ?? "",
      path: placeOf(candidate, all),
      message,
    }));
  });
  const alike = Map.groupBy(troubles, ({ path, message }) => `${pathText(path)} ${message}`);
  return [...alike.values()].map(([first, ...more]): RawMistake => {
    const { path = [], name = "", message = "" } = first ?? {};
    const whose = more.length === 0 ? `member '${name}'` : `${more.length + 1} members, such as '${name}'`;
    return plainMistake(path, path[0] === "members" ? message : `${message} (${whose})`);
  });
};

function placeOf({ index, entry }: Candidate, { entry: stack }: RuleContext): readonly PropertyKey[] {
  if (entry.starter !== undefined) {
    return ["members", index, "starter"];
  }
  const ofType = typeEntryOf(entry, stack)?.starter !== undefined;
  return ofType ? ["memberTypes", entry.type ?? "", "starter"] : ["starter", "mode"];
}

function tooMuch(candidate: Candidate, context: RuleContext): string[] {
  const { settings, entry: stack } = context;
  const shares = isQuotaDeclared(candidate, context)
    ? starterShares(settings.starter, memberLimitsOf(candidate.entry, stack))
    : [];
  return shares
    .filter(({ each, most }) => settings.starter.replicas * each > most)
    .map((share) => tooMuchText(share, settings.starter));
}

function tooMuchText({ key, each, most, unit, less }: StarterShare, { replicas }: StarterSettings): string {
  const sum = replicas === 1 || each === 1 ? "" : ` (${replicas} replicas of ${each})`;
  const ways = [...less, ...(replicas === 1 ? [] : ["starter.replicas"])];
  const lower = ways.length === 0 ? "" : `lower ${ways.join(" or ")}, `;
  return `takes ${replicas * each} ${unit}${sum}, and the quota holds ${most} (${key}); ${lower}raise ${key}, or set it to off`;
}

/** Caddy serves HTTP here, because it has no certificate. */
function unspoken({ entry }: Candidate, { settings, isKnown }: RuleContext): string[] {
  const isRouted = entry.route !== false && isKnown("route");
  return isRouted && settings.route.backend.protocol === "HTTPS" && isCaddy(settings.starter)
    ? [
        "speaks HTTP, and route.backendProtocol is HTTPS; set starter.image to one of your own that serves HTTPS, or set it to off",
      ]
    : [];
}
