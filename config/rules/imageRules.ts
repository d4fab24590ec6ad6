import { type ImageEntry, parseImage, parseImageEntry } from "./images.ts";

/**
 * What a list comes to, as the admission policy reads it, a line for each rule: a repository (`docker.io/library/nginx`)
 * or all below it (`ghcr.io/acme/`), and behind that nothing, or one version (`:1.27`, `@sha256:…`), or a blank and a
 * regular expression of versions (` ^(?::1\.[\w.-]*)$`). To look lines up costs the API server a hundredth of what one
 * expression for a list of hundreds would, which it gives up on.
 * @param list entries that are right
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

/** Read alike by JavaScript and by RE2. */
const patternOf = (version: string) => version.replaceAll(".", "\\.").replaceAll(/\*+/g, "[\\w.-]*");

/** Whether rules, as `imageRules` makes them, allow an image. The API server's policy says the same of each. */
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
