import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { routeUrl } from "../../config/names/names.ts";
import { deviceIn, storageClassIn } from "../../objects/quotaClasses.ts";
import type { MemberOverview, Usage } from "../../plan/members/overview.ts";
import { table } from "../common/table.ts";
import { classesIn, type MemberGroup, memoryText } from "../common/usage.ts";

type Cell = (member: MemberOverview) => string;

/** Quantities as the API server writes them. */
const columns = {
  STACK: ({ stack }) => stack,
  MEMBER: ({ member }) => member,
  TYPE: ({ type }) => type ?? "?",
  STATE: ({ state }) => state,
  CPU: ({ usage }) => ofHard(usage?.["limits.cpu"]),
  MEMORY: ({ usage }) => ofHard(usage?.["limits.memory"]),
  PVCS: ({ usage }) => ofHard(usage?.persistentvolumeclaims),
  STORAGE: ({ usage }) => ofHard(usage?.["requests.storage"]),
  DEVICES: ({ usage }) => byClass(usage, deviceIn),
  CLASSES: ({ usage }) => byClass(usage, storageClassIn),
  PODS: pods,
  ROUTE: hostPath,
  EXPIRES: ({ expires }) => expires ?? "-",
  LEAVES: ({ leaves }) => leaves ?? "-",
  PROTECTED: (member) => (member.protected ? "yes" : "no"),
  STARTER: starter,
  BUCKETS: ({ buckets }) => buckets.map(({ name }) => name).join(",") || "-",
  STAFF: ({ staff }) =>
    staff
      .map(({ role, kind, name, until }) =>
        [role, ...(kind === "Group" ? ["group"] : []), name, ...(until === undefined ? [] : ["until", until])].join(
          " ",
        ),
      )
      .join(",") || "-",
  CI: ({ ci }) => ci.map(({ kind, name }) => (kind === "User" ? name : `${kind} ${name}`)).join(",") || "-",
  URL: ({ route }) => (route === undefined ? "-" : routeUrl(route)),
  REASON: ({ reason }) => reason ?? "-",
} as const satisfies Readonly<Record<string, Cell>>;

type Column = keyof typeof columns;

const narrow: readonly Column[] = ["MEMBER", "TYPE", "STATE", "CPU", "MEMORY", "PVCS", "PODS", "ROUTE", "EXPIRES"];
/** Columns that may be cut; the others are short, or useless if cut. */
const cuttable: readonly Column[] = ["STACK", "MEMBER", "TYPE", "ROUTE"];

function rowsOf(members: readonly MemberOverview[], headings: readonly Column[], cells = columns) {
  return [headings, ...members.map((member) => headings.map((heading) => cells[heading](member)))];
}

export function narrowTable(members: readonly MemberOverview[], width: number | undefined): string {
  const several = new Set(members.map(({ stack }) => stack)).size > 1;
  const shown = members.some(({ leaves }) => leaves !== undefined) ? ([...narrow, "LEAVES"] as const) : narrow;
  const headings = several ? (["STACK", ...shown] as const) : shown;
  const cells = { ...columns, MEMORY: ({ usage }: MemberOverview) => ofHard(usage?.["limits.memory"], memoryText) };
  const cut = cuttable.map((name) => headings.indexOf(name)).filter((at) => at >= 0);
  return table(rowsOf(members, headings, cells), { width, cut });
}

/** The part of an address that differs between members: the path, or the host if each member has one. */
function hostPath({ route }: MemberOverview): string {
  return route?.path === "/" ? route.host : (route?.path ?? "-");
}

const fewPending = 3;

/** Why paths are not open, which the narrow table has no room for; undefined if none is pending. */
export function pendingText(members: readonly MemberOverview[]): string | undefined {
  const pending = members.filter(({ state }) => state === "pending");
  if (pending.length === 0) {
    return undefined;
  }
  if (pending.length > fewPending) {
    return `${pending.length} members are pending; 'kubecamp members -o wide' says why.`;
  }
  return pending.map(({ member, reason }) => `${member} is pending: ${reason}`).join("\n");
}

/** Columns that are there only if somebody has something in them. */
const unusual: readonly Column[] = ["DEVICES", "CLASSES", "LEAVES", "STAFF", "CI"];

/** A line for each member with more columns, quantities as the API server writes them, and nothing cut. */
export function wideTable(members: readonly MemberOverview[]): string {
  return table(rowsOf(members, wideHeadings(members)));
}

export function memberTable(member: MemberOverview, width: number | undefined): string {
  const lines = wideHeadings([member]).map((heading) => [heading, columns[heading](member)]);
  return table(lines, { width, wrapLast: true });
}

function wideHeadings(members: readonly MemberOverview[]): readonly Column[] {
  const isShown = (name: Column) => !unusual.includes(name) || members.some((member) => columns[name](member) !== "-");
  return (Object.keys(columns) as Column[]).filter((name) => name !== "ROUTE" && isShown(name));
}

/** A member for `-o json`; see docs/run/list-members.md for its keys. */
export function memberJson(
  { usage, route, ...member }: MemberOverview,
  labels: Readonly<Record<string, string>> | undefined,
) {
  return {
    stack: member.stack,
    member: member.member,
    namespace: member.namespace,
    type: member.type ?? null,
    labels: labels ?? null,
    state: member.state,
    reason: member.reason ?? null,
    url: route === undefined ? null : routeUrl(route),
    host: route?.host ?? null,
    path: route?.path ?? null,
    expires: member.expires ?? null,
    leaves: member.leaves ?? null,
    protected: member.protected,
    starter: member.starter ?? null,
    buckets: member.buckets.map(({ name, bucketName = null, endpoint = null, ready = null }) => ({
      name,
      bucketName,
      endpoint,
      ready,
    })),
    staff: member.staff.map(({ role, kind, name, until = null, reason = null }) => ({
      ...{ role, kind, name, until, reason },
    })),
    ci: member.ci.map(({ kind, name }) => ({ kind, name })),
    pods: { used: member.pods, hard: scalar(usage?.pods?.hard) },
    cpu: quantities(usage?.["limits.cpu"], "Millicores", 1000),
    memory: quantities(usage?.["limits.memory"], "Bytes"),
    storage: quantities(usage?.["requests.storage"], "Bytes"),
    persistentVolumeClaims: counts(usage?.persistentvolumeclaims),
    ...classesJson(usage),
  };
}

const classesJson = (usage: MemberOverview["usage"]) => ({
  devices: mapped(usage, deviceIn, counts),
  storageClasses: mapped(usage, storageClassIn, (each) => quantities(each, "Bytes")),
});

/** Such as `nvidia.com/gpu 0/1,gpu.example.com 2/2`. */
const byClass = (
  usage: MemberOverview["usage"],
  nameIn: (resource: string) => string | undefined,
  text?: (quantity: string) => string,
) =>
  classesIn(usage, nameIn)
    .map(([name, each]) => `${name} ${ofHard(each, text)}`)
    .join(",") || "-";

function mapped<T>(
  usage: MemberOverview["usage"],
  nameIn: (resource: string) => string | undefined,
  read: (usage: Usage) => T,
) {
  const found = classesIn(usage, nameIn);
  return found.length === 0 ? null : Object.fromEntries(found.map(([name, each]) => [name, read(each)]));
}

/** Use and limit as quantities, and as numbers of a unit. */
function quantities<Unit extends string>(usage: Usage | undefined, unit: Unit, factor = 1) {
  if (usage === undefined) {
    return null;
  }
  const { used, hard } = usage;
  const number = (text: string | undefined) => {
    const value = scalar(text);
    return value === null ? null : Math.round(value * factor);
  };
  return { used: used ?? null, hard, [`used${unit}`]: number(used), [`hard${unit}`]: number(hard) };
}

function counts(usage: Usage | undefined) {
  return usage === undefined ? null : { used: scalar(usage.used), hard: scalar(usage.hard) };
}

/** Live pods: the quota's own count is a moment late. */
function pods({ pods, usage }: MemberOverview): string {
  const hard = usage?.pods?.hard;
  return hard === undefined ? String(pods) : `${pods}/${hard}`;
}

function starter({ starter }: MemberOverview): string {
  return starter === undefined ? "-" : `${starter.mode} ${starter.available}/${starter.replicas}`;
}

/** Such as `250m/1`. */
function ofHard(usage: Usage | undefined, text = (quantity: string) => quantity): string {
  return usage === undefined ? "-" : `${usage.used === undefined ? "?" : text(usage.used)}/${text(usage.hard)}`;
}

/** A quantity as a number; null if it is missing or none. */
function scalar(quantity: string | undefined): number | null {
  return quantity === undefined ? null : (quantityValue(quantity) ?? null);
}

/** A line for each group. @param bytes text of memory and storage. Default: rounded up to MiB */
export function groupsTable(
  label: string,
  groups: readonly MemberGroup[],
  width: number | undefined,
  bytes: (quantity: string) => string = memoryText,
): string {
  // As in the columns of 'kubectl get -L'.
  const [name = label] = label.split("/").slice(-1);
  const rows = groups.map(({ value = "(none)", members, withoutQuota, usage }) => [
    value,
    String(members),
    String(withoutQuota),
    ofHard(usage["limits.cpu"]),
    ofHard(usage["limits.memory"], bytes),
    ofHard(usage["requests.storage"], bytes),
    byClass(usage, deviceIn),
    byClass(usage, storageClassIn, bytes),
  ]);
  const headings = [name.toUpperCase(), "MEMBERS", "NO QUOTA", "CPU", "MEMORY", "STORAGE", "DEVICES", "CLASSES"];
  // Few stacks have devices or storage by class.
  const shown = headings.map((_, at) => at < headings.indexOf("DEVICES") || rows.some((row) => row[at] !== "-"));
  return table(
    [headings, ...rows].map((row) => row.filter((_, at) => shown[at])),
    { width, cut: [0] },
  );
}

/** A group for `-o json`; see docs/run/list-members.md for its keys. */
export function groupJson(label: string, { value, members, withoutQuota, usage }: MemberGroup) {
  return {
    label,
    value: value ?? null,
    members,
    withoutQuota,
    cpu: quantities(usage["limits.cpu"], "Millicores", 1000),
    memory: quantities(usage["limits.memory"], "Bytes"),
    storage: quantities(usage["requests.storage"], "Bytes"),
    ...classesJson(usage),
  };
}
