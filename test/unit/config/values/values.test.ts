import assert from "node:assert/strict";
import type { z } from "zod";
import { date } from "../../../../config/values/days.ts";
import { hostName, identity, identityPrefix, labels } from "../../../../config/values/values.ts";

/** The messages that a value is refused with. */
const refusals = (schema: z.ZodType, value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.flatMap((issue) =>
      (issue.code === "invalid_key" ? issue.issues : [issue]).map(({ message }) => message),
    ) ?? [];

const long = (length: number) => "a".repeat(length);

describe("values that the API server would refuse, or that would do nothing there", () => {
  const noKey =
    "can't be a label's key: at most 63 of a-z, 0-9, '-', '_' and '.', no mark at either end; before them, if at all, a host name and '/'";
  const noValue = "can't be a label's value: at most 63 of a-z, 0-9, '-', '_' and '.', and no mark at either end";
  const noLine = "must be one line without control and format characters, and without blanks at either end";
  const noHost = "must be a host name in lower case, without scheme, port or path";
  for (const [what, schema, value, refused] of [
    ["an IP address as a host", hostName, "10.0.0.1", "must be a host name, not an IP address"],
    ["a wildcard host", hostName, "*.example.org", noHost],
    ["a host of 254 characters", hostName, long(254), "must have at most 253 characters"],
    ["a label with capitals in its prefix", labels, { "Example.org/app": "x" }, noKey],
    ["a label with a prefix of 254 characters", labels, { [`${long(254)}/app`]: "x" }, noKey],
    ["a label value of 64 characters", labels, { app: long(64) }, noValue],
    ["a subject with a line break, as a YAML block leaves one", identity, "bob@example.org\n", noLine],
    ["a subject that is half a character", identity, "\ud800", noLine],
    ["a name with an invisible character", identity, "ada\u200b@example.org", noLine],
    ["a prefix with a line break", identityPrefix, "oidc:\n", "must be one line without control and format characters"],
    ["a day that is in no calendar", date, "2026-02-30", "is no day of the calendar"],
  ] as const) {
    it(`refuses ${what}`, () => {
      assert.deepEqual(refusals(schema, value), [refused]);
    });
  }
});

describe("values at the border", () => {
  for (const [what, schema, value] of [
    ["a host of 253 characters", hostName, long(253)],
    ["a host that looks like an IP address", hostName, "10.0.0.1.nip.io"],
    ["a label with a prefix of 253 characters", labels, { [`${long(253)}/${long(63)}`]: long(63) }],
    ["a subject as directories have it", identity, "CN=B\u00f6b O'Neil, OU=R&D"],
    ["a leap day", date, "2028-02-29"],
    ["a date as Pulumi rewrites one without quotes", date, "2026-12-31 00:00:00 +0000 UTC"],
  ] as const) {
    it(`takes ${what}`, () => {
      assert.deepEqual(refusals(schema, value), []);
    });
  }
});
