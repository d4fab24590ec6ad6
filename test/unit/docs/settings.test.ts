import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { parseConfiguration } from "../../../config/configuration.ts";
import { isMap } from "../../../config/values/maps.ts";
import { mistakeLines } from "../../../config/values/mistakes.ts";
import { repository } from "../../../sandbox/paths.ts";
import { ca } from "../certificates.ts";
import { route, today } from "../samples.ts";
import { blocksIn, pages } from "./pages.ts";

/** An example with what its readers put in: secrets are decrypted, as in a run. */
const filledIn = (text: string) =>
  text
    .replaceAll(/(\w+):\n +secure: \S+.*/g, "$1: decrypted")
    .replaceAll(/\|\n +-----BEGIN CERTIFICATE-----\n[^-]*-----END CERTIFICATE-----/g, () => JSON.stringify(ca))
    .replaceAll("0b9c7f0e-6a51-…", "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d");

/** Settings of an example; undefined if it is about something else. */
function settingsIn(text: string): Record<string, unknown> | undefined {
  const document = parseDocument(filledIn(text));
  const raw: unknown = document.errors.length > 0 ? undefined : document.toJS();
  const own = isMap(raw) && isMap(raw.config) ? raw.config : raw;
  return isMap(own) && Object.keys(own).every((key) => key.startsWith("kubecamp:"))
    ? Object.fromEntries(Object.entries(own).map(([key, value]) => [key.replace("kubecamp:", ""), value]))
    : undefined;
}

/** Mistakes, but for files and secrets that a reader adds. */
function wrongIn(settings: Record<string, unknown>): string[] {
  const list = "membersFile" in settings ? {} : { members: [] };
  const parsed = parseConfiguration("dev", { route, ...list, ...settings }, today);
  return ("mistakes" in parsed ? mistakeLines(parsed.mistakes) : []).filter(
    (mistake) => !/ was not read$|^notify\.mail\.password: is missing/.test(mistake),
  );
}

describe("the settings in the pages", () => {
  // The examples of settings.md are the schemas' own.
  for (const page of pages.filter((name) => name !== "docs/reference/settings.md")) {
    const examples = blocksIn(page, "yaml")
      .map(settingsIn)
      .filter((settings) => settings !== undefined);
    if (examples.length === 0) {
      continue;
    }
    it(`takes the settings in ${page}`, () => {
      assert.deepEqual(examples.flatMap(wrongIn), []);
    });
  }

  it("takes the settings in Pulumi.prod.yaml once they are no comments any more", () => {
    const text = readFileSync(join(repository, "Pulumi.prod.yaml"), "utf8");
    const [commented = ""] = /^ {2}# kubecamp:storage:\n(?: {2}# .*\n)+/m.exec(text) ?? [];
    const settings = settingsIn(commented.replaceAll(/^ {2}# /gm, ""));
    assert.deepEqual(settings && [Object.keys(settings), wrongIn(settings)], [["storage"], []]);
  });
});
