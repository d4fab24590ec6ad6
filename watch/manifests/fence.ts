import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resourceOf } from "../../cluster/kinds/kinds.ts";
import { stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import { homeNames } from "../../config/names/names.ts";
import { customResources } from "../../config/objects/objectKinds.ts";
import { visitorHeaders } from "../../config/route/login.ts";
import type { Settings } from "../../config/settings.ts";
import type { JudgedRequests } from "../../objects/admission/admissionPolicy.ts";
import { podSecurityVersion } from "../../objects/namespace.ts";
import { shownToOthers } from "../../objects/rbac/clusterRole.ts";
import { writableAtHome } from "../../objects/rbac/role.ts";
import { drivers } from "../../objects/route/drivers/drivers.ts";
import { issuerAnnotation } from "../../objects/route/ingress.ts";

/** Resources with their groups, such as `apps/deployments`; the core group is empty. */
const pairsIn = ({ apiGroups, resources }: Omit<JudgedRequests, "operations">): string[] =>
  apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`));

/** Generated lists of fence.yaml, by variable; they follow from the objects that runs declare. */
const lists: Readonly<Record<string, () => readonly string[]>> = {
  besideController: () =>
    stackKindsWhere(
      ({ isReadByControllers, selections }) =>
        isReadByControllers || selections.some(({ isBesideController }) => isBesideController),
    )
      .map(resourceOf)
      .sort(),
  writable: () => writableAtHome.flatMap(pairsIn).sort(),
  seen: () => shownToOthers.flatMap(({ resources }) => resources).sort(),
  configMaps: () =>
    homeNames
      .filter(({ kind }) => kind === "ConfigMap")
      .map(({ name }) => name)
      .sort(),
  ofControllers: () => drivers.flatMap(({ annotations }) => annotations.Ingress).sort(),
  ofServices: () => drivers.flatMap(({ annotations }) => annotations.Service).sort(),
  aboutVisitors: () => visitorHeaders,
};

/** Returns fence.yaml with these lists brought up to date; the rest of it is written by hand. */
export const withLists = (fence: string): string =>
  Object.entries(lists).reduce((text, [variable, items]) => {
    const before = `    - name: ${variable}\n      expression: >-\n`;
    const start = text.indexOf(before);
    const end = text.indexOf("]\n", start);
    if (start === -1 || end === -1) {
      throw new Error(`the fence has no list '${variable}'`);
    }
    return text.slice(0, start) + before + listText([...new Set(items())]) + text.slice(end + 2);
  }, fence);

type FenceSettings = Pick<Settings, "stack" | "cluster" | "route" | "objectKinds">;

export function fenceText(
  { stack, cluster, route, objectKinds = [] }: FenceSettings,
  fence = readFileSync(join(import.meta.dirname, "fence.yaml"), "utf8"),
): string {
  const { login, tls } = route;
  const { secretName = "" } = tls !== undefined && "secretName" in tls ? tls : {};
  const [issuer] = tls === undefined ? [] : Object.entries(issuerAnnotation(tls));
  const values: Readonly<Record<string, unknown>> = {
    stack,
    domain: cluster.domain ?? "cluster.local",
    className: route.className,
    login: login?.url ?? "-",
    signIn: login?.signIn ?? "",
    allow: login?.allow ?? "members",
    controller: route.namespace,
    certificate: tls === undefined ? "-" : secretName,
    issuer: issuer?.join("=") ?? "-",
    podSecurity: podSecurityVersion,
  };
  const edited = customResources({ objectKinds }, "editable");
  return withMore(Object.entries(values).reduce(withValue, fence), "writable", edited.flatMap(pairsIn));
}

/** Replaces a variable's one line. JSON is CEL too. */
function withValue(fence: string, [variable, value]: [string, unknown]): string {
  const line = new RegExp(`(\n    - name: ${variable}\n      expression: >-\n {8}).*`);
  if (!line.test(fence)) {
    throw new Error(`the fence has no variable '${variable}'`);
  }
  return fence.replace(line, (_, before: string) => before + JSON.stringify(value));
}

function withMore(fence: string, variable: string, items: readonly string[]): string {
  const end = fence.indexOf("]", fence.indexOf(`\n    - name: ${variable}\n`));
  return fence.slice(0, end) + [...new Set(items)].map((item) => `, '${item}'`).join("") + fence.slice(end);
}

const indent = " ".repeat(8);

function listText(items: readonly string[]): string {
  const lines = [""];
  for (const [index, item] of items.entries()) {
    const word = `'${item}'${index === items.length - 1 ? "]" : ","}`;
    const line = lines.at(-1) ?? "";
    if (line.length + word.length > 112) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line === "" ? `[${word}` : `${line} ${word}`;
    }
  }
  return lines.map((line) => `${indent}${line}\n`).join("");
}
