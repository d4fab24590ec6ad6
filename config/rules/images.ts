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
  /** The name before tag and digest. */
  repository: "^(?:[^/@]+/)*[^/:@]+",
  /** Prefix of a repository that names its registry; a repository without one is on Docker Hub. */
  registry: "^(?:localhost|[^/]*[.:A-Z][^/]*)/",
  /** An official image of Docker Hub, whose name has no user. */
  official: "^(?:index\\.)?docker\\.io/[^/]+$",
} as const;

/** Docker Hub's former name, an alias of the present one. */
export const formerHub = "index.docker.io/";

/** An image that a pod names. */
interface ImageReference {
  /** Repository with registry, as `docker.io/library/nginx`. */
  readonly repository: string;
  /** The digest, as `@sha256:…`, or else the tag, as `:latest`: runtimes ignore the tag beside a digest. */
  readonly version: string;
}

/** Reads an image's name as a runtime does; undefined if the runtime rejects the name or takes it for an image's ID. */
export function parseImage(image: string): ImageReference | undefined {
  const found = new RegExp(imagePatterns.repository).exec(image)?.[0];
  if (found === undefined || !new RegExp(imagePatterns.reference).test(image) || isImageId(image)) {
    return undefined;
  }
  const rest = image.slice(found.length);
  const at = rest.indexOf("@");
  return { repository: inFull(found), version: at >= 0 ? rest.slice(at) : rest || ":latest" };
}

const isImageId = (image: string) => new RegExp(imagePatterns.id).test(image);

/** The repository's name with its registry. */
function inFull(repository: string): string {
  const named = new RegExp(imagePatterns.registry).test(repository) ? repository : `docker.io/${repository}`;
  if (new RegExp(imagePatterns.official).test(named)) {
    return `docker.io/library/${named.slice(named.indexOf("/") + 1)}`;
  }
  return named.startsWith(formerHub) ? `docker.io/${named.slice(formerHub.length)}` : named;
}

/** An entry of a list of allowed images. */
export interface ImageEntry {
  /** A repository; with `/` at the end, all repositories below; empty for every image. */
  readonly name: string;
  /** Allowed version; a tag keeps its `*`, as `:1.*`. Undefined for all versions. */
  readonly version?: string;
}

const below = `${part}(?:/${part})*(?:/\\*)?`;
const lowerLabel = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const lowerRegistry = `(?:${lowerLabel}(?:\\.${lowerLabel})*|\\[[a-f0-9:]+\\])(?::[0-9]+)?`;
const digestForms = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";
const entryForm = `(${below}|${lowerRegistry}/(?:\\*|${below}))(?::([\\w*][\\w.*-]{0,127}))?(?:@(${digestForms}))?`;

/** Pattern for editors: `[registry/]repository[:tag][@digest]`, with `*` in the tag, as the last part, or alone. */
export const imageEntryForm = `^(?:\\*|${entryForm})$`;

/**
 * Reads an entry of that form.
 * @returns the entry, or the message about a mistake, to follow the value
 */
export function parseImageEntry(text: string): ImageEntry | string {
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
