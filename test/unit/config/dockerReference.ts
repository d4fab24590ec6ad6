/**
 * How container runtimes read the name of an image, step by step after the description of distribution/reference, and
 * written apart from the program, which is held against it.
 * @see https://github.com/distribution/reference/blob/main/normalize.go
 */
interface Reference {
  readonly repository: string;
  readonly version: string;
}

/** containerd's reading of a name; undefined if invalid. */
export function dockerReference(text: string): Reference | undefined {
  const [domain, rest] = splitDomain(text);
  const beforeTag = rest.split(":")[0] ?? "";
  if (beforeTag.toLowerCase() !== beforeTag) {
    return undefined;
  }
  const [named = "", digest, ...more] = rest.split("@");
  const [path = "", tag, ...tags] = named.split(":");
  const isRight =
    more.length === 0 &&
    tags.length === 0 &&
    // An invalid host may still begin a path, which then has no domain.
    (isDomain(domain) || isComponent(domain)) &&
    path.split("/").every(isComponent) &&
    (tag === undefined || isTag(tag)) &&
    (digest === undefined || isDigest(digest));
  return isRight
    ? { repository: `${domain}/${path}`, version: digest === undefined ? `:${tag ?? "latest"}` : `@${digest}` }
    : undefined;
}

function splitDomain(name: string): [string, string] {
  const slash = name.indexOf("/");
  if (slash < 0) {
    return ["docker.io", `library/${name}`];
  }
  const [first, rest] = [name.slice(0, slash), name.slice(slash + 1)];
  const isHost = first === "localhost" || first.includes(".") || first.includes(":") || first.toLowerCase() !== first;
  const [domain, remote] = isHost ? [first === "index.docker.io" ? "docker.io" : first, rest] : ["docker.io", name];
  return [domain, domain === "docker.io" && !remote.includes("/") ? `library/${remote}` : remote];
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const figures = "0123456789";
const all = (text: string, of: string) => text !== "" && [...text].every((character) => of.includes(character));

function isDomain(domain: string): boolean {
  const bracket = domain.startsWith("[") ? domain.indexOf("]") : -1;
  const colon = domain.indexOf(":", bracket + 1);
  const [host, port] = colon < 0 ? [domain, undefined] : [domain.slice(0, colon), domain.slice(colon + 1)];
  const isHost =
    bracket < 0
      ? host
          .split(".")
          .every((part) => all(part, `${letters}${letters.toUpperCase()}${figures}-`) && !/^-|-$/.test(part))
      : bracket === host.length - 1 && all(host.slice(1, -1), `${figures}abcdefABCDEF:`);
  return isHost && (port === undefined || all(port, figures));
}

/** Lower case letters and figures, and between them one '.', one or two '_', or any number of '-'. */
function isComponent(component: string): boolean {
  const words = component.split(/[^a-z0-9]+/);
  const marks = component.match(/[^a-z0-9]+/g) ?? [];
  return words.every((word) => word !== "") && marks.every((mark) => [".", "_", "__"].includes(mark) || all(mark, "-"));
}

const isTag = (tag: string) =>
  tag.length <= 128 && all(tag, `${letters}${letters.toUpperCase()}${figures}_.-`) && !/^[.-]/.test(tag);

/**
 * An algorithm with parts, each of which begins with a letter; in lower case, or else opencontainers/go-digest
 * refuses it. Whether its length is right, a runtime asks later.
 */
function isDigest(digest: string): boolean {
  const [algorithm = "", hex = "", ...more] = digest.split(":");
  const parts = algorithm.split(/[-_+.]/);
  return (
    more.length === 0 &&
    hex.length >= 32 &&
    all(hex, `${figures}abcdefABCDEF`) &&
    parts.every((part) => all(part, letters + figures) && all(part.charAt(0), letters))
  );
}
