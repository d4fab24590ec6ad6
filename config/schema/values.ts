import { isIPv4 } from "node:net";
import { z } from "zod";

/** Values that several settings share. Each message goes on after the value: `50 must be …`. */

/** A name as DNS has it in one label. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelName =
  /^((?=[^/]{1,253}\/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/;

export const text = z.string("must be a text").min(1, "must not be empty");

export const flag = z.boolean("must be true or false");

export const dnsLabel = text.regex(label, "must be a DNS label: a-z, 0-9 and '-', at most 63 characters");

export const choiceOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(", ")}`);

/** The name of most objects: a DNS subdomain. */
export const dnsSubdomain = text
  .max(253, "must have at most 253 characters")
  .regex(subdomain, "must be a name in lower case");

export const className = dnsSubdomain;

export const hostName = text
  .regex(subdomain, "must be a host name in lower case, without scheme, port or path")
  .max(253, "must have at most 253 characters")
  // Zeros before a figure, which Node minds, make no difference to the API server.
  .refine((value) => !isIPv4(value.replaceAll(/\b0+(?=\d)/g, "")), "must be a host name, not an IP address");

const labelRule = "at most 63 of a-z, 0-9, '-', '_' and '.'";

export const labels = z.record(
  z
    .string()
    .regex(
      labelName,
      `can't be a label's key: ${labelRule}, no mark at either end; before them, if at all, a host name and '/'`,
    ),
  z.string("must be a text").regex(labelValue, `can't be a label's value: ${labelRule}, and no mark at either end`),
  "must be a map of labels",
);

const oneLine = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value);

/** Name of a user or a group. The API server takes any, also one that nobody will ever sign in with. */
export const identity = text
  .max(1024, "must have at most 1024 characters")
  .refine((value) => oneLine(value) && value === value.trim(), "must be one line, without blanks at either end");

/** Whom messages name: of a text with more lines than one, the API server would show nothing. */
export const contact = text
  .max(253, "must have at most 253 characters")
  .refine((value) => oneLine(value) && value === value.trim(), "must be one line, without blanks at either end");

/** What stands before such a name. */
export const identityPrefix = z
  .string("must be a text")
  .max(253, "must have at most 253 characters")
  .refine(oneLine, "must be one line");

/** As the API server makes them. Any other text would be no cluster's, and no run would get past it. */
export const clusterId = text.regex(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "must be the UID of kube-system, as 0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d; kubectl get namespace kube-system -o jsonpath='{.metadata.uid}' prints it",
);

/** As kubelets have it in `clusterDomain`; a Service's name has to fit before it. */
export const clusterDomain = text
  .max(100, "must have at most 100 characters")
  .regex(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    "must be a DNS name without a dot at its end, such as cluster.local",
  );

/** A whole number within bounds. */
export const amount = (least: number, most: number, unit: string) =>
  z
    .number(`must be a number of ${unit}`)
    .int({ error: `must be a whole number of ${unit}`, abort: true })
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);

/** Bounds far beyond any use, so that every sum stays exact here and within 64 bits of bytes at the API server. */
export const cpu = amount(1, 1_000_000_000, "thousandths of a CPU");
export const memory = amount(1, 1_000_000_000, "MiB");
export const volume = amount(1, 100_000_000, "MiB");
export const volumes = amount(0, 10_000, "PersistentVolumeClaims");
export const count = (what: string) => amount(0, 1_000_000, what);

/**
 * Pulumi reads a date without quotes as a point in time, and hands it over in the second of these forms. A calendar has
 * the last word: 2026-02-30 is no date.
 */
const dateForms = /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))( 00:00:00 \+0000 UTC)?$/;

/** The most that a list of members can be split into. */
export const mostShards = 64;

/** A day, as `2026-12-31`. */
export const date = z
  .string("must be a date, such as 2026-12-31")
  .refine((value) => dayOf(value) !== undefined, { error: "must be a date, such as 2026-12-31" })
  .meta({ pattern: dateForms.source });

/** The day that a text in one of the accepted forms stands for, as `2026-12-31`. */
export function dayOf(value: string): string | undefined {
  const day = dateForms.exec(value)?.[1];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? undefined : day;
}
