/** The output of `npm run sandbox`. docs/start/sandbox.md shows it, and an end-to-end test checks it. */
export const transcriptIn = (page: string): string =>
  between(page, "<!-- transcript -->\n\n```text\n", "\n```\n\n<!-- end of transcript -->");

function between(text: string, begin: string, end: string): string {
  const [, rest] = text.split(begin);
  const [sample, tail] = rest?.split(end) ?? [];
  if (sample === undefined || tail === undefined) throw new Error(`no sample between '${begin}' and '${end}'`);
  return sample;
}
