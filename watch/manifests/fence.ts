import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resourceOf } from "../../cluster/kinds/kinds.ts";
import { homeNames } from "../../config/names/names.ts";
import { customResources } from "../../config/objects/objectKinds.ts";
import { controllers } from "../../config/route/controllers.ts";
import { visitorHeaders } from "../../config/route/login.ts";
import { gatewayOf, type RouteServer, serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import type { JudgedRequests } from "../../objects/admission/admissionPolicy.ts";
import { podSecurityVersion } from "../../objects/namespace.ts";
import { shownToOthers } from "../../objects/rbac/clusterRole.ts";
import { writableAtHome } from "../../objects/rbac/role.ts";
import { drivers, routeParts, waysOf } from "../../objects/route/drivers/drivers.ts";
import { certificateAnnotations, certificateName } from "../../objects/route/ingress.ts";

/** Resources with their groups, such as `apps/deployments`; the core group is empty. */
const pairsIn = ({ apiGroups, resources }: Omit<JudgedRequests, "operations">): string[] =>
  apiGroups.flatMap((group) => resources.map((resource) => `${group}/${resource}`));

/** Generated lists of fence.yaml, by variable; they follow from the objects that runs declare. */
const lists: Readonly<Record<string, () => readonly string[]>> = {
  besideController: () => [
    ...new Set(
      [...routeParts.filter(({ place }) => place === "controller").map(({ kind }) => kind), "Secret" as const]
        .map(resourceOf)
        .sort(),
    ),
  ],
  writable: () => writableAtHome.flatMap(pairsIn).sort(),
  seen: () => shownToOthers.flatMap(({ resources }) => resources).sort(),
  configMaps: () =>
    homeNames
      .filter(({ kind, isTheirs }) => kind === "ConfigMap" && !isTheirs)
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

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");

export function fenceText(
  { stack, cluster, route, objectKinds = [] }: FenceSettings,
  fence = read("fence.yaml"),
): string {
  const all = serversOf({ route }).map((server) => server.route);
  const servers = all.filter(({ kind }) => kind === "ingress");
  const { login } = route;
  const { name, namespace } = gatewayOf({ route }) ?? { name: "-", namespace: "-" };
  const values: Readonly<Record<string, unknown>> = {
    stack,
    domain: cluster.domain ?? "cluster.local",
    classNames: servers.map(({ className }) => className),
    // Another than the usual class may be the same controller's.
    asking: servers.filter(({ controller }) => controllers[controller].signsIn).map(({ className }) => className),
    gateway: { name, namespace },
    login: login?.url ?? "-",
    signIn: login?.signIn ?? "",
    allow: login?.allow ?? "members",
    controller: route.beside,
    certificates: all.flatMap((server) => (server.tls === undefined ? [] : certificateOf(server))),
    ofCertificates: all.flatMap((server) =>
      Object.entries(certificateAnnotations(server, waysOf(server.controller))).map((each) => each.join("=")),
    ),
    podSecurity: podSecurityVersion,
  };
  const edited = customResources({ objectKinds }, "editable");
  const text = withMore(Object.entries(values).reduce(withValue, fence), "writable", edited.flatMap(pairsIn));
  return name !== "-" && login !== undefined
    ? `${text}---\n${read("login.yaml").replaceAll("kubecamp.dev/stack: prod", `kubecamp.dev/stack: ${JSON.stringify(stack)}`)}`
    : text;
}

/** The Secret that an Ingress or a ListenerSet names; empty for one of each host's own, beside the controller or Gateway. */
const certificateOf = (server: RouteServer) => certificateName({ host: "" }, server).replace(/^-tls$/, "");

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
