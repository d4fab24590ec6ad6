import { z } from "zod";
import { optional, text } from "./values/values.ts";

/** An entry of a list of allowed images, whose tag keeps its `*`, as `:1.*`. */
type ImageEntry = Exclude<ReturnType<typeof parseImageEntry>, string>;

/**
 * Images, as settings allow them and as pods name them. Both are read as container runtimes and Docker read them:
 * `nginx` is `docker.io/library/nginx:latest`.
 * @see https://github.com/distribution/reference
 */

const alphanumeric = "[a-z0-9]+";

const part = `${alphanumeric}(?:(?:[._]|__|-+)${alphanumeric})*`;

const path = `${part}(?:/${part})*`;

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";

const registry = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;

const tag = "\\w[\\w.-]{0,127}";

const digest = "[a-z][a-z0-9]*(?:[-_+.][a-z][a-z0-9]*)*:[0-9a-fA-F]{32,}";

/** Patterns that JavaScript and the API server's RE2 read alike. */
export const imagePatterns = {
  /** Any text that a runtime accepts as the name of an image. */
  reference: `^(?:${registry}/)?${path}(?::${tag})?(?:@${digest})?$`,
  /** ID of an image on the node, whatever its source: containerd tries an ID before a name. */
  id: "^(?:sha256|sha384|sha512|blake3):",
  repository: "^(?:[^/@]+/)*[^/:@]+",
  /** Prefix of a repository that names its registry; a repository without one is on Docker Hub. */
  registry: "^(?:localhost|[^/]*[.:A-Z][^/]*)/",
  /** An official image of Docker Hub, whose name has no user. */
  official: "^(?:index\\.)?docker\\.io/[^/]+$",
} as const;

/** Docker Hub's former name, an alias of the present one. */
export const formerHub = "index.docker.io/";

/** Reads an image's name as a runtime does; undefined if the runtime rejects the name or takes it for an image's ID. */
export function parseImage(image: string) {
  const found = new RegExp(imagePatterns.repository).exec(image)?.[0];
  if (found === undefined || !new RegExp(imagePatterns.reference).test(image) || isImageId(image)) {
    return undefined;
  }
  const rest = image.slice(found.length);
  const at = rest.indexOf("@");
  // Runtimes ignore the tag beside a digest.
  return { repository: inFull(found), version: at >= 0 ? rest.slice(at) : rest || ":latest" };
}

const isImageId = (image: string) => new RegExp(imagePatterns.id).test(image);

function inFull(repository: string): string {
  const named = new RegExp(imagePatterns.registry).test(repository) ? repository : `docker.io/${repository}`;
  if (new RegExp(imagePatterns.official).test(named)) {
    return `docker.io/library/${named.slice(named.indexOf("/") + 1)}`;
  }
  return named.startsWith(formerHub) ? `docker.io/${named.slice(formerHub.length)}` : named;
}

const below = `${part}(?:/${part})*(?:/\\*)?`;

const lowerLabel = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";

const lowerRegistry = `(?:${lowerLabel}(?:\\.${lowerLabel})*|\\[[a-f0-9:]+\\])(?::[0-9]+)?`;

const digestForms = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";

const entryForm = `(${below}|${lowerRegistry}/(?:\\*|${below}))(?::([\\w*][\\w.*-]{0,127}))?(?:@(${digestForms}))?`;

/** Pattern for editors: `[registry/]repository[:tag][@digest]`, with `*` in the tag, as the last part, or alone. */
const imageEntryForm = `^(?:\\*|${entryForm})$`;

/** Reads an entry of that form. @returns the entry, or what is wrong, to follow the value */
export function parseImageEntry(text: string): { readonly name: string; readonly version?: string } | string {
  if (text === "*") {
    return { name: "" };
  }
  const [, repository, tag, digest] = new RegExp(imageEntryForm).exec(text) ?? [];
  if (repository === undefined || isImageId(text)) {
    return "must be an image, such as nginx, nginx:1.*, ghcr.io/acme/app@sha256:… or ghcr.io/acme/*";
  }
  if (/^(?:localhost|[^/]*\.[^/]*)$/.test(repository)) {
    return `names a registry without a repository; write ${repository}/* for all its repositories`;
  }
  const name = repository.endsWith("/*") ? folderOf(repository) : inFull(repository);
  const version = digest === undefined ? tag && `:${tag}` : `@${digest}`;
  return version === undefined ? { name } : { name, version };
}

/** `ghcr.io/acme/` for `ghcr.io/acme/*`. A placeholder name below it finds the registry. */
function folderOf(repository: string): string {
  return /^(?:index\.)?docker\.io\/\*$/.test(repository)
    ? "docker.io/"
    : inFull(repository.replace(/\*$/, "x")).slice(0, -1);
}

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

export const imagesSchema = optional(
  imageList,
  "Images that members may run, unless the type or the member has a list. Default: any. See [images.md](images.md).",
  { examples: [["docker.io/library/*", "ghcr.io/example/*:1.*"]] },
);

/**
 * Rules of a list of images, one a line, as the admission policy reads them: a repository (`docker.io/library/nginx`)
 * or all below it (`ghcr.io/acme/`), followed by nothing, by one version (`:1.27`, `@sha256:…`), or by a blank and a
 * regular expression of versions (` ^(?::1\.[\w.-]*)$`). Looking lines up costs the API server a hundredth of one
 * expression for a list of hundreds, which would exceed its cost limit.
 * @param list valid entries
 * @returns undefined for a list that allows every image
 */
export function imageRules(list: readonly string[]): string | undefined {
  const entries = list.map(parseImageEntry).filter((entry) => typeof entry !== "string");
  const named = Map.groupBy(entries, ({ name }) => name);
  return named.has("") ? undefined : [...named].flatMap(([name, same]) => rulesOf(name, same)).join("\n");
}

function rulesOf(name: string, entries: readonly ImageEntry[]): string[] {
  const versions = [...new Set(entries.map(({ version = "" }) => version))];
  if (versions.includes("")) {
    return [name];
  }
  const isPattern = (version: string) => version.includes("*") || name.endsWith("/");
  const patterns = versions.filter(isPattern).map(patternOf);
  const single = versions.filter((version) => !isPattern(version)).map((version) => name + version);
  return patterns.length === 0 ? single : [...single, `${name} ^(?:${patterns.join("|")})$`];
}

/** JavaScript and RE2 read these patterns alike. */
const patternOf = (version: string) => version.replaceAll(".", "\\.").replaceAll(/\*+/g, "[\\w.-]*");

/** Whether rules of `imageRules` allow an image. The API server's policy decides the same. */
export function imageFilter(rules: string): (image: string) => boolean {
  const lines = new Set(rules.split("\n"));
  const open = [...lines].map((line) => {
    const [name = "", versions = ""] = line.split(" ");
    return { name, versions: new RegExp(versions) };
  });
  return (image) => {
    const reference = parseImage(image);
    if (reference === undefined) {
      return false;
    }
    const { repository, version } = reference;
    const isWithin = (name: string) => (name.endsWith("/") ? repository.startsWith(name) : repository === name);
    return (
      lines.has(repository + version) || open.some(({ name, versions }) => isWithin(name) && versions.test(version))
    );
  };
}

export function imagesWith(images: readonly string[], image: string): readonly string[] {
  const rules = imageRules(images);
  return rules === undefined || imageFilter(rules)(image) ? images : [...images, image];
}
