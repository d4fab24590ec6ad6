/**
 * The lines below a warning's title in what Pulumi printed, such as `bob: why`. It stands there more than once: while a
 * run goes on, it is shown without them.
 */
export function linesBelow(title: string, output: string): string[] {
  const after = output.includes(title) ? (output.split(title).at(-1) ?? "") : "";
  const [, ...lines] = after.split("\n");
  const end = lines.findIndex((line) => !/^ {6}\S+: /.test(line));
  return lines.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
}
