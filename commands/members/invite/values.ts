import { stringify } from "yaml";
import { isDeviceClass, poolName } from "../../../config/member/confinement.ts";
import { hasAccess, type Member } from "../../../config/member/member.ts";
import { ciAccountName, namespaceName, routeUrl, wakeName } from "../../../config/names/names.ts";
import { wakeForText } from "../../../config/schedule.ts";
import type { Settings } from "../../../config/settings.ts";
import { firstFew } from "../../../config/values/sentences.ts";
import { memoryQuantity } from "../../../objects/quantity.ts";
import { limitsTable } from "../../../objects/starter/starterPages.ts";
import { type FirstApp, firstApp } from "./firstApp.ts";

/** Placeholders within a line, with plain text for values. */
export const inlinePlaceholders = [
  "member",
  "namespace",
  "type",
  "username",
  "contact",
  "expires",
  "issuer",
  "unknownIssuer",
  "url",
  "appUrl",
  "pageUrl",
  "tlsUrl",
  "service",
  "port",
  "image",
  "noApp",
  "suspended",
  "expired",
] as const;
/** Placeholders that stand alone between blank lines, with Markdown for values. */
export const blockPlaceholders = ["kubeconfig", "app", "limits", "rules", "images", "buckets", "ci"] as const;

/** Values of a template's placeholders. A missing value removes its paragraph, row or section. */
export interface InvitationValues {
  readonly inline: Readonly<Partial<Record<(typeof inlinePlaceholders)[number], string>>>;
  readonly blocks: Readonly<Partial<Record<(typeof blockPlaceholders)[number], string>>>;
}

/** Values of the page for a member's first day; no secret. @param signIn undefined if the stack does not say how */
export function invitationValues(
  member: Member,
  settings: Settings,
  signIn?: { readonly kubeconfig: object; readonly issuer: string },
): InvitationValues {
  const { name, standing, expires, route, starter } = member;
  const isActive = standing === "active";
  const first = firstApp(member, settings);
  const app = first !== undefined && "app" in first ? first.app : undefined;
  const url = route === undefined ? undefined : routeUrl(route);
  const hasTls = settings.route.backend.protocol === "HTTPS";
  return {
    inline: present({
      member: name,
      namespace: namespaceName(member),
      type: member.type.name,
      username: member.username,
      contact: settings.contact,
      expires: standing === "expired" ? undefined : expires,
      issuer: signIn?.issuer,
      unknownIssuer: signIn === undefined ? settings.contact : undefined,
      url,
      appUrl: app?.onPath === true ? url : undefined,
      pageUrl: isActive && starter !== undefined ? url : undefined,
      tlsUrl: app !== undefined && starter === undefined && hasTls ? url : undefined,
      service: app?.service.name,
      port: app === undefined ? undefined : String(app.service.port),
      image: app?.standIn,
      noApp: first !== undefined && "reason" in first ? first.reason : undefined,
      suspended: standing === "suspended" ? name : undefined,
      expired: standing === "expired" ? expires : undefined,
    }),
    blocks: present({
      kubeconfig: signIn && fence("yaml", stringify(signIn.kubeconfig, { lineWidth: 0 })),
      app: app && fence("yaml", manifestText(app)),
      limits: limitsTable(member),
      rules: listOf(rulesFor(member)),
      images: member.images && imagesText(member.images),
      buckets: bucketsText(member, settings),
      ci: ciText(member),
    }),
  };
}

const present = <T extends Readonly<Record<string, string | undefined>>>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")) as {
    [Key in keyof T]?: string;
  };

const fence = (language: string, text: string) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
const listOf = (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n");

/** A file rather than a here-document, which PowerShell does not have. */
function manifestText({ manifests }: FirstApp): string {
  const documents = manifests.map((each) => stringify(each, { lineWidth: 0, aliasDuplicateObjects: false }));
  return documents.join("---\n");
}

const mostImages = 20;

function imagesText(images: readonly string[]): string {
  const shown = images.slice(0, mostImages).map((image) => `\`${image}\``);
  const more = images.length - shown.length;
  return images.length === 0
    ? "None."
    : listOf([...shown, ...(more > 0 ? [`and ${more} more: \`kubectl get namespace -o yaml\` has all`] : [])]);
}

function bucketsText({ buckets = [] }: Member, { storage }: Settings): string | undefined {
  const [first] = buckets;
  if (first === undefined || storage === undefined) {
    return undefined;
  }
  const list = listOf(buckets.map(({ name, bucketName }) => `\`${name}\`, on the server \`${bucketName}\``));
  return storage.kind === "cosi"
    ? `${listOf(buckets.map(({ name }) => `\`${name}\``))}\n\nThe Secret of its name has each bucket's keys.`
    : `${list}\n\nA container gets a bucket's keys and address by:\n\n${fence(
        "yaml",
        stringify({
          envFrom: [{ configMapRef: { name: first.name } }, { secretRef: { name: first.name } }],
        }),
      )}`;
}

function ciText({ standing, ci }: Member): string | undefined {
  if (ci === undefined || !hasAccess({ standing })) {
    return undefined;
  }
  const jobs = ci.subjects.length > 0 && listOf(ci.subjects.map((subject) => `\`${subject}\``));
  const token =
    ci.token === true &&
    `This prints a token for jobs, valid for an hour:\n\n${fence("sh", `kubectl create token ${ciAccountName}`)}`;
  return [jobs, token].filter((text) => text !== false).join("\n\n");
}

type Amounts = Readonly<Record<string, number>>;

/** A rule with the most of each name; undefined where nothing is limited. */
const amountsRule = (what: string, all: Amounts | undefined, text: (name: string, most: number) => string) =>
  all &&
  `${what}: ${
    Object.entries(all)
      .map(([name, most]) => text(name, most))
      .join(", ") || "none"
  }`;

/** Rules for the member's pods that Kubernetes itself does not have. */
function rulesFor(member: Member): string[] {
  const { type, network, schedule } = member;
  const { podSecurity, devices, storage, runtimeClasses, pool, userNamespaces, priorityClasses } = type;
  const code = (names: readonly string[]) =>
    firstFew(
      names.map((each) => `\`${each}\``),
      mostImages,
    ) || "none";
  const wakeFor = wakeForText(member);
  const device = (name: string) => `${isDeviceClass(name) ? "the DeviceClass " : ""}\`${name}\``;
  return [
    podSecurity === "restricted"
      ? "Pod Security `restricted`: containers run as a user other than root, without capabilities"
      : "Pod Security `baseline`: no privileged containers, and nothing of the node's files, network or processes",
    "Services of type ClusterIP only",
    "pods get no token for the API server",
    schedule &&
      `pods stop at \`${schedule.sleep}\` and start again at \`${schedule.wake}\` (cron times, zone ` +
        `${schedule.timeZone}); everything else stays` +
        (wakeFor === undefined ? "" : `; to wake for ${wakeFor} in between: \`kubectl create configmap ${wakeName}\``),
    network.internet ? undefined : "pods don't reach the internet",
    amountsRule("devices", devices, (name, count) => `${count} of ${device(name)}`),
    amountsRule("StorageClasses", storage, (name, size) => `\`${name}\` up to ${memoryQuantity(size)}`),
    runtimeClasses && `RuntimeClasses: ${code(runtimeClasses.allowed)}`,
    priorityClasses.length === 0 ? undefined : `PriorityClasses: ${code(priorityClasses)}`,
    pool && `pods run on the nodes \`${poolName(pool)}\``,
    userNamespaces && "pods have `hostUsers: false`",
  ].filter((rule) => rule !== undefined);
}
