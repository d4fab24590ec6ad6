import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { routeUrl } from "../../naming/names.ts";
import { memoryQuantity } from "../../plan/objects/quantity.ts";
import { table } from "../common/table.ts";
import type { MemberOverview, Usage } from "./overview/overview.ts";

/** Headings whose columns may be cut; all else is short, or of no use when it is cut. */
const cuttable = ["STACK", "MEMBER", "TYPE", "ROUTE"];

/**
 * A line for each member.
 * @param width columns of the terminal; undefined for what is piped, where nothing is cut
 */
export function narrowTable(members: readonly MemberOverview[], width: number | undefined): string {
  const several = new Set(members.map(({ stack }) => stack)).size > 1;
  const headings = [
    ...(several ? ["STACK"] : []),
    ...["MEMBER", "TYPE", "STATE", "CPU", "MEMORY", "PVCS", "PODS", "ROUTE", "EXPIRES"],
  ];
  const rows = members.map((member) => [
    ...(several ? [member.stack] : []),
    member.member,
    member.type ?? "?",
    member.state,
    ofHard(member.usage?.["limits.cpu"]),
    ofHard(member.usage?.["limits.memory"], memoryText),
    ofHard(member.usage?.persistentvolumeclaims),
    pods(member),
    place(member),
    member.expires ?? "-",
  ]);
  return table([headings, ...rows], {
    width,
    cut: cuttable.map((name) => headings.indexOf(name)).filter((at) => at >= 0),
  });
}

/** What tells a member's address from others': the path, or the host where each has one. */
function place({ route }: MemberOverview): string {
  return route?.path === "/" ? route.host : (route?.path ?? "-");
}

/** The same with more columns, quantities as the API server writes them, and nothing cut. */
export function wideTable(members: readonly MemberOverview[]): string {
  const headings = [
    ...["STACK", "MEMBER", "TYPE", "STATE", "CPU", "MEMORY", "PVCS", "STORAGE", "PODS", "EXPIRES", "PROTECTED"],
    ...["STARTER", "BUCKETS", "URL", "REASON"],
  ];
  const rows = members.map((member) => [
    member.stack,
    member.member,
    member.type ?? "?",
    member.state,
    ofHard(member.usage?.["limits.cpu"]),
    ofHard(member.usage?.["limits.memory"]),
    ofHard(member.usage?.persistentvolumeclaims),
    ofHard(member.usage?.["requests.storage"]),
    pods(member),
    member.expires ?? "-",
    member.protected ? "yes" : "no",
    starter(member),
    member.buckets.map(({ name }) => name).join(",") || "-",
    member.route === undefined ? "-" : routeUrl(member.route),
    member.reason ?? "-",
  ]);
  return table([headings, ...rows]);
}

/** A member as `-o json` prints them; docs/commands.md says what each key means. */
export function memberJson({ usage, route, ...member }: MemberOverview) {
  return {
    stack: member.stack,
    member: member.member,
    namespace: member.namespace,
    type: member.type ?? null,
    state: member.state,
    reason: member.reason ?? null,
    url: route === undefined ? null : routeUrl(route),
    host: route?.host ?? null,
    path: route?.path ?? null,
    expires: member.expires ?? null,
    protected: member.protected,
    starter: member.starter ?? null,
    buckets: member.buckets.map(({ name, bucketName = null, endpoint = null, ready = null }) => ({
      name,
      bucketName,
      endpoint,
      ready,
    })),
    pods: { used: member.pods, hard: scalar(usage?.pods?.hard) },
    cpu: quantities(usage?.["limits.cpu"], "Millicores", 1000),
    memory: quantities(usage?.["limits.memory"], "Bytes"),
    storage: quantities(usage?.["requests.storage"], "Bytes"),
    persistentVolumeClaims: counts(usage?.persistentvolumeclaims),
  };
}

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

/** The pods of the moment; a quota counts them too, and is a moment late. */
function pods({ pods, usage }: MemberOverview): string {
  const hard = usage?.pods?.hard;
  return hard === undefined ? String(pods) : `${pods}/${hard}`;
}

/** How many of its pods are ready, as `once 1/1`. */
function starter({ starter }: MemberOverview): string {
  return starter === undefined ? "-" : `${starter.mode} ${starter.available}/${starter.replicas}`;
}

function ofHard(usage: Usage | undefined, text = (quantity: string) => quantity): string {
  return usage === undefined ? "-" : `${usage.used === undefined ? "?" : text(usage.used)}/${text(usage.hard)}`;
}

const mebibyte = 1024 ** 2;

/** Memory in MiB, rounded up, or a larger unit where it is whole. */
function memoryText(quantity: string): string {
  const bytes = quantityValue(quantity);
  return bytes === undefined ? quantity : memoryQuantity(Math.ceil(bytes / mebibyte));
}

/** A quantity as a number; null for what is none, or not known. */
function scalar(quantity: string | undefined): number | null {
  return quantity === undefined ? null : (quantityValue(quantity) ?? null);
}
