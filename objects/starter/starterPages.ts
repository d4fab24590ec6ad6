import type { Member } from "../../config/member/member.ts";
import type { StarterMode } from "../../config/member/types.ts";
import { starterAnnotation } from "../../config/names/labels.ts";
import {
  namespaceName,
  routedPort,
  routeUrl,
  serviceName,
  starterName,
  starterPagesName,
} from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { indexPage, isCaddy } from "../../config/starter.ts";
import { ownAnnotations } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import { countQuantity, cpuQuantity, memoryQuantity } from "../quantity.ts";
import { figures } from "../resourceQuota.ts";
import { caddyfile, pageTemplate } from "./caddy.ts";
import { caddyFiles } from "./names.ts";

/** Files that a member's starter app serves, and for Caddy the files that it serves them with. */
export function starterPages(member: Member, mode: StarterMode, settings: Settings) {
  const served: Readonly<Record<string, string>> = isCaddy(settings.starter)
    ? { [caddyFiles.config]: caddyfile(member, settings), [caddyFiles.template]: pageTemplate(member) }
    : {};
  return {
    metadata: metadataOf(starterPagesName, member, settings, { annotations: { [starterAnnotation]: mode } }),
    data: { ...pagesOf(member, mode, settings), ...served },
  };
}

export const starterPagesFields = ownAnnotations(starterAnnotation);

function pagesOf(member: Member, mode: StarterMode, settings: Settings): Readonly<Record<string, string>> {
  const pages = settings.starter.pages ?? { [indexPage]: standardPage(mode) };
  const values: Readonly<Record<string, string>> = {
    member: member.name,
    namespace: namespaceName(member),
    url: addressOf(member, settings),
    limits: limitsTable(member),
  };
  const filledIn = (page: string) =>
    page.replaceAll(/\{(\w+)\}/g, (text, name) => (Object.hasOwn(values, name) && values[name]) || text);
  return Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, filledIn(page)]));
}

/** The app's URL; without a public path, the one within the cluster. */
function addressOf(member: Member, { route }: Settings): string {
  const { protocol } = route.backend;
  return member.route === undefined
    ? `${protocol.toLowerCase()}://${serviceName(member)}.${namespaceName(member)}.svc:${routedPort(route)}/`
    : routeUrl(member.route);
}

/** The page if the settings have none, with the placeholders that pages in the settings may have. */
const standardPage = (mode: StarterMode) => `# Welcome, {member}

This page answers at <{url}>. It comes from the namespace \`{namespace}\`, which is yours:
the Deployment \`${starterName}\` serves what is in the ConfigMap \`${starterPagesName}\`, and the Service
\`{member}-svc\` leads to it.

## Put an app of your own here

\`\`\`sh
kubectl create deployment my-app --image=IMAGE --port=8080 -n {namespace}
kubectl patch service {member}-svc -n {namespace} --type=json -p='[
  {"op": "replace", "path": "/spec/selector", "value": {"app": "my-app"}},
  {"op": "replace", "path": "/spec/ports/0/targetPort", "value": 8080}]'
\`\`\`

If the first command warns of PodSecurity and no pod starts, put your image into \`app.yaml\` of your invitation,
apply that instead, and write \`"app.kubernetes.io/name": "web"\` for \`"app": "my-app"\`.

${next[mode]}

## What you may use

{limits}

\`kubectl describe quota,limits -n {namespace}\` shows what of it is in use.
`;

const next: Readonly<Record<StarterMode, string>> = {
  once: `Then delete what you don't need any more. It does not come back:

\`\`\`sh
kubectl delete deployment/${starterName} configmap/${starterPagesName} -n {namespace}
\`\`\`

Or write pages here: each key of the ConfigMap that ends in \`.md\` is one.

\`\`\`sh
kubectl edit configmap ${starterPagesName} -n {namespace}
kubectl rollout restart deployment/${starterName} -n {namespace}
\`\`\``,
  kept: `What you change in \`${starterName}\` and \`${starterPagesName}\` is put back; what the Service leads to is
yours to say.`,
};

/** A member's limits as a table in Markdown. Without a quota, only limits of single volumes and containers. */
export function limitsTable({ limits, type }: Pick<Member, "limits" | "type">): string {
  const sums = [
    ["CPU of all containers", cpuQuantity(limits.maxCpuMillicores)],
    ["memory of all containers", memoryQuantity(limits.maxMemoryMiB)],
    ["what they write outside of volumes", memoryQuantity(limits.maxEphemeralStorageMiB)],
    ["pods", countQuantity(limits.pods)],
    ["volumes (PersistentVolumeClaims)", countQuantity(limits.persistentVolumeClaims)],
    ["Services, and as many autoscalers", figures(limits)["count/services"] ?? ""],
    ["objects of most other kinds", countQuantity(limits.objects)],
  ];
  const each = [
    ["size of a volume", memoryQuantity(limits.maxPersistentVolumeClaimMiB)],
    ["CPU of a container that states none", cpuQuantity(limits.defaultCpuMillicores)],
    ["memory of a container that states none", memoryQuantity(limits.defaultMemoryMiB)],
  ];
  const rows = [...(type.quota ? sums : []), ...each];
  return ["| what | at most |", "|---|---|", ...rows.map(([what, most]) => `| ${what} | ${most} |`)].join("\n");
}
