import { type ImageEntry, parseImage, parseImageEntry } from "./images.ts";

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
