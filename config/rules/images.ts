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

const below = `${path}(?:/\\*)?`;
const digestForms = "sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}";

/** Pattern for editors. `parseImageEntry` accepts nothing else, and explains mistakes. */
export const imageEntryForm = `^(?:\\*|(?:${below}|${registry}/(?:\\*|${below}))(?::[\\w*][\\w.*-]{0,127})?(?:@(?:${digestForms}))?)$`;

const mostTagCharacters = 128;
const hexDigits: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };
const form = "must be an image, such as nginx, nginx:1.*, ghcr.io/acme/app@sha256:… or ghcr.io/acme/*";

/**
 * Reads an entry: `[registry/]repository[:tag][@digest]`, with `*` in the tag, as the repository's last part, or alone.
 * @returns the entry, or the message about a mistake, to follow the value
 */
export function parseImageEntry(text: string): ImageEntry | string {
  if (text === "*") {
    return { name: "" };
  }
  if (/^[a-z]+:\/\//i.test(text)) {
    return "must be an image without scheme, such as ghcr.io/acme/app";
  }
  if (isImageId(text)) {
    return "is the ID of an image and not its name; with its repository it is a digest, as nginx@sha256:…";
  }
  const [named = "", digest, ...more] = text.split("@");
  const [, repository = "", tag] = /^((?:[^/]*\/)*[^/:]*)(?::(.*))?$/s.exec(named) ?? [];
  if (more.length > 0) {
    return form;
  }
  const wrong =
    (digest === undefined ? undefined : digestProblem(digest)) ??
    (tag === undefined ? undefined : tagProblem(tag)) ??
    repositoryProblem(repository);
  if (wrong !== undefined) {
    return wrong;
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

function digestProblem(text: string): string | undefined {
  const [algorithm = "", hex = "", ...more] = text.split(":");
  const digits = Object.hasOwn(hexDigits, algorithm) ? hexDigits[algorithm] : undefined;
  if (digits === undefined) {
    return "must have a digest of sha256, sha384 or sha512, such as @sha256: and 64 of 0-9 and a-f";
  }
  const fits = more.length === 0 && hex.length === digits && /^[0-9a-f]+$/.test(hex);
  return fits
    ? undefined
    : `must have ${digits} of 0-9 and a-f behind @${algorithm}: (it has ${hex.length} characters)`;
}

function tagProblem(text: string): string | undefined {
  if (text.length > mostTagCharacters) {
    return `must have a tag of at most ${mostTagCharacters} characters, and has ${text.length}`;
  }
  return /^[\w*][\w.*-]*$/.test(text)
    ? undefined
    : "must have a tag of a-z, A-Z, 0-9, '_', '.', '-' and '*' behind the ':', without '.' or '-' at its beginning";
}

function repositoryProblem(repository: string): string | undefined {
  if (repository === "*") {
    return "can't have a tag or a digest: '*' alone stands for every image";
  }
  if (repository !== repository.toLowerCase()) {
    return "must have registry and repository in lower case";
  }
  if (repository.replace(/\/\*$/, "").includes("*")) {
    return "can't have '*' there: it may be the last part of a repository (ghcr.io/acme/*), stand in a tag (nginx:1.*), or alone";
  }
  if (!repository.includes("/") && (repository === "localhost" || repository.includes("."))) {
    return `names a registry without a repository; write ${repository}/* for all its repositories`;
  }
  const one = repository.replace(/\*$/, "x");
  return new RegExp(`^(?:${registry}/)?${path}$`).test(one) ? undefined : form;
}
