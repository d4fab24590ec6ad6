import { isIPv4 } from "node:net";
import { z } from "zod";
import { unseen } from "./mistakes.ts";

/** Schemas that several settings share. Each message follows the value: `50 must be …`. */

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const labelName =
  /^((?=[^/]{1,253}\/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;

const labelValue = /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/;

/** A setting that can be left out, with its meaning for editors and the reference. */
export const optional = <Schema extends z.ZodType>(schema: Schema, description: string, more?: z.core.GlobalMeta) =>
  schema.optional().meta({ description, ...more });

/** The keys of a map, for an entry that inherits what it leaves out. */
export function inherited<Shape extends Readonly<Record<string, z.ZodOptional>>>(shape: Shape, from: string): Shape {
  const entries = Object.entries(shape).map(([key, schema]): [string, z.ZodOptional] => {
    const { description = "", default: _, ...more } = schema.meta() ?? {};
    const meaning = description.replace(/ Default: .*$/s, "");
    return [key, optional(schema.unwrap() as z.ZodType, `${meaning} Default: ${from}.`, more)];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, z.ZodOptional>> as Shape;
}

export const text = z.string("must be a text").min(1, "must not be empty");

export const flag = z.boolean("must be true or false");

export const dnsLabel = text.regex(label, "must be a DNS label: a-z, 0-9 and '-', at most 63 characters");

export const choiceOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(", ")}`);

export const dnsSubdomain = text
  .max(253, "must have at most 253 characters")
  .regex(subdomain, "must be a name in lower case");

export const className = dnsSubdomain;

export const hostName = text
  .regex(subdomain, "must be a host name in lower case, without scheme, port or path")
  .max(253, "must have at most 253 characters")
  // The API server accepts zeros before a figure, and Node does not.
  .refine((value) => !isIPv4(value.replaceAll(/\b0+(?=\d)/g, "")), "must be a host name, not an IP address");

const labelRule = "at most 63 of a-z, 0-9, '-', '_' and '.'";

export const labelKey = (of: string) =>
  text.regex(
    labelName,
    `can't be ${of}: ${labelRule}, no mark at either end; before them, if at all, a host name and '/'`,
  );

/** A label's key without a prefix, for keys that get one of kubecamp. */
export const plainLabelKey = labelKey("a label's key").refine(
  (key) => !key.includes("/"),
  "must be a label's key without a prefix, as it gets kubecamp's on the cluster",
);

export const labelText = z
  .string("must be a text")
  .regex(labelValue, `can't be a label's value: ${labelRule}, and no mark at either end`);

export const labels = z.record(labelKey("a label's key"), labelText, "must be a map of labels");

const oneLine = (value: string) => value.isWellFormed() && !unseen.test(value);

/** Name of a user or a group. The API server accepts any name, even of a user who never signs in. */
export const identity = text
  .max(1024, "must have at most 1024 characters")
  .refine(
    (value) => oneLine(value) && value === value.trim(),
    "must be one line without control and format characters, and without blanks at either end",
  );

/** The contact in messages. The API server would show nothing of a message with several lines. */
export const contact = identity.max(253, "must have at most 253 characters");

export const identityPrefix = z
  .string("must be a text")
  .max(253, "must have at most 253 characters")
  .refine(oneLine, "must be one line without control and format characters")
  .refine(
    (value) => value !== "-",
    `is the word of the API server's flags for no prefix, and here a prefix like any other; set ""`,
  );

/** A UID as the API server generates it. Any other text would match no cluster, and stop every run. */
export const clusterId = text.regex(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "must be the UID of kube-system, as 0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d; kubectl get namespace kube-system -o jsonpath='{.metadata.uid}' prints it",
);

/** As in the kubelet's `clusterDomain`; it must leave space for a Service's name before it. */
export const clusterDomain = text
  .max(100, "must have at most 100 characters")
  .regex(subdomain, "must be a DNS name without a dot at its end, such as cluster.local");

export const amount = (least: number, most: number, unit: string) =>
  z
    .number(`must be a number of ${unit}`)
    .int({ error: `must be a whole number of ${unit}`, abort: true })
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`);

/** Bounds far beyond any use: sums stay exact here, and fit into 64 bits of bytes at the API server. */
export const cpu = amount(1, 1_000_000_000, "thousandths of a CPU");

/** Least CPU limit of a container where there is a quota: the kubelet gives each that much. */
export const leastCpuMillicores = 10;

export const containerCpu = amount(leastCpuMillicores, 1_000_000_000, "thousandths of a CPU");

export const memory = amount(1, 1_000_000_000, "MiB");

export const volume = amount(1, 100_000_000, "MiB");

export const volumes = amount(0, 10_000, "PersistentVolumeClaims");

export const count = (what: string) => amount(0, 1_000_000, what);

const sizeRule = "must be a size such as 20Gi, in Mi, Gi or Ti and below 1000Ti, or 0 for none";

/** A size in a binary unit; the bounds keep sums exact. */
export const size = z.union(
  [z.literal(0, sizeRule), text.regex(/^(0|[1-9]\d{0,8}Mi|[1-9]\d{0,5}Gi|[1-9]\d{0,2}Ti)$/, sizeRule)],
  sizeRule,
);

const mebibytes: Readonly<Record<string, number>> = { Mi: 1, Gi: 1024, Ti: 1024 ** 2 };

export const sizesMiB = (sizes: Readonly<Record<string, z.output<typeof size>>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(sizes).map(([name, value]) => [
      name,
      typeof value === "number" ? value : Number.parseInt(value, 10) * (mebibytes[value.slice(-2)] ?? 0),
    ]),
  );

export const bucketNameRule =
  "3 to 63 of a-z, 0-9, '-' and '.', with a letter or figure at both ends, no '..', and no IP address";

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
export const isBucketName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|^\d+\.\d+\.\d+\.\d+$/.test(name);

export const bucketName = text.refine(isBucketName, `must be a bucket's name: ${bucketNameRule}`);
