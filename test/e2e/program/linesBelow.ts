/**
 * The lines below a warning's title in Pulumi's output, such as `bob: why`. The title is there more than once: Pulumi's
 * progress shows it without the lines.
 */
export function linesBelow(title: string, output: string): string[] {
  const after = output.includes(title) ? (output.split(title).at(-1) ?? "") : "";
  const [, ...lines] = after.split("\n");
  const end = lines.findIndex((line) => !/^ {6}\S+: /.test(line));
  return lines.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
}
