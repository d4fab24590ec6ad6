import { z } from "zod";
import { defaultStarter, defaultStarterMode } from "../model/settings/defaults.ts";
import { parseImage, parseImageEntry } from "../rules/images.ts";
import { amount, choiceOf, containerCpu, memory, optional, text } from "./values.ts";

/** Name of a page's file. */
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
export function pagesProblem(pages: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(pages);
  const bytes = Object.values(pages).reduce((sum, page) => sum + Buffer.byteLength(page), 0);
  if (!names.includes(indexPage)) {
    return `has no ${indexPage}, the page that a member's path begins with${names.length === 0 ? "" : ` (it has ${names.slice(0, 5).join(", ")})`}`;
  }
  return bytes > mostKibibytes * 1024
    ? `has ${Math.ceil(bytes / 1024)} KiB of pages, and a ConfigMap has room for ${mostKibibytes}; leave some out`
    : undefined;
}

/** Whether a file's name is valid for a page. */
export const isPageName = (name: string) => pageName.safeParse(name).success;

const image = text.superRefine((value, context) => {
  const entry = parseImageEntry(value);
  const reference = value.includes("*") ? undefined : parseImage(value);
  if (value !== "" && (typeof entry === "string" || reference === undefined)) {
    const isPattern = typeof entry !== "string" || value.includes("*");
    context.addIssue(isPattern ? "must be one image, such as docker.io/library/caddy:2, and no pattern" : entry);
  }
});

export const starterMode = choiceOf(["off", "once", "kept"]);

/** Description of the modes, shared by all schemas that have one. */
const starterModes = "`once` creates it and leaves it to the member, `kept` keeps it as declared, `off` creates none.";

export const starterSchema = z
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
      context.addIssue({ code: "custom", path: ["pagesFolder"], message: "is set beside pages; keep one of the two" });
    }
  });
