import { defined, given, present } from "../model/maps.ts";
import { controllers } from "../model/routes/controllers.ts";
import { type LoginSettings, limitKeys, type RouteSettings, type TlsSettings } from "../model/routes/route.ts";
import {
  defaultArchive,
  defaultBackend,
  defaultBoard,
  defaultContact,
  defaultLogin,
  defaultMailSecurity,
  defaultNetwork,
  defaultNotify,
  defaultOidc,
  defaultRoute,
  mailPorts,
} from "../model/settings/defaults.ts";
import type { MailSettings, NotifySettings } from "../model/settings/notify.ts";
import type {
  ArchiveSettings,
  BoardHeader,
  BoardSettings,
  OidcSettings,
  Settings,
  StarterSettings,
} from "../model/settings/settings.ts";
import type { ArchiveEntry } from "../schema/archive.ts";
import type { BoardEntry } from "../schema/board.ts";
import type { Valid } from "../schema/issues.ts";
import type { NotifyEntry } from "../schema/notify.ts";
import type { LoginEntry } from "../schema/routes/login.ts";
import type { RouteEntry } from "../schema/routes/route.ts";
import type { SettingsEntry } from "../schema/settings.ts";
import { storageSettingsOf } from "./buckets.ts";
import { starterSettingsOf } from "./members/member.ts";
import { type ManifestFiles, objectKindsOf, objectsOf } from "./members/objects.ts";
import { budgetsOf } from "./members/selector.ts";
import { staffOf } from "./members/staff.ts";

/**
 * The settings with every default filled in.
 * @param pages content of `starter.pagesFolder`; undefined if that is not set
 * @param files files of `objects`
 */
export function settingsOf(
  stack: string,
  entry: Valid<SettingsEntry>,
  pages?: StarterSettings["pages"],
  files?: ManifestFiles,
): Settings {
  const { shards: count, shardOf: family = stack, cluster = {}, oidc = {}, network = {}, offboarding = {} } = entry;
  const objectKinds = objectKindsOf(entry.objectKinds ?? []);
  const ofOidc = {
    ...defaultOidc,
    ...given(oidc, "issuerUrl", "clientId", "ca"),
    ...given(oidc, "usernameClaim", "groupsClaim", "usernamePrefix", "groupsPrefix"),
    scopes: [...new Set(present(oidc.scopes))],
  };
  const route = routeSettingsOf(entry.route ?? {});
  const board = entry.board && boardSettingsOf(entry.board, ofOidc, route.login);
  const settings = {
    stack,
    ...defined({
      shards: count === undefined ? undefined : { family, count },
      storage: entry.storage && storageSettingsOf(entry.storage),
      board,
      budgets: entry.budgets && budgetsOf(entry.budgets),
      objectKinds: objectKinds.length === 0 ? undefined : objectKinds,
      objects: entry.objects && objectsOf(entry.objects, files, objectKinds),
    }),
    cluster: given(cluster, "context", "id", "domain"),
    oidc: ofOidc,
    route,
    network: {
      ingressPodLabels: {},
      ...defaultNetwork,
      ...given(network, "ingressPodLabels", "dnsNamespace", "dnsPodLabels"),
      nodeLocalDns: present(network.nodeLocalDns),
    },
    contact: entry.contact ?? defaultContact,
    starter: starterSettingsOf(entry.starter, pages),
    offboarding: {
      ...given(offboarding, "maxRemovals", "graceDays"),
      ...defined({
        removeNow: offboarding.removeNow && present(offboarding.removeNow),
        archive: offboarding.archive && archiveOf(offboarding.archive),
      }),
    },
    notify: notifySettingsOf(entry.notify),
  };
  return entry.staff === undefined ? settings : { ...settings, staff: staffOf(entry.staff, settings) };
}

const archiveOf = ({ bucket = "", ...entry }: Valid<ArchiveEntry>): ArchiveSettings => ({
  bucket,
  ...defaultArchive,
  ...given(entry, "secrets", "volumes", "snapshotClass"),
});

function routeSettingsOf(entry: Valid<RouteEntry>): RouteSettings {
  const { kind, controller, rewrite } = { ...defaultRoute, ...given(entry, "kind", "controller", "rewrite") };
  const { gateway, tls, backendProtocol: protocol, backendTls = {}, limits } = entry;
  const names = controllers[controller];
  const usual = kind === "gateway" ? gateway?.namespace : undefined;
  const namespace = entry.namespace ?? usual ?? names.namespace;
  return {
    kind,
    controller,
    namespace,
    className: entry.className ?? names.className,
    rewrite,
    ...defined({
      gateway:
        gateway?.name === undefined
          ? undefined
          : { name: gateway.name, namespace, ...given(gateway, "namespace", "sectionName") },
      tls: tls && tlsOf(tls),
      limits: limits && given(limits, ...limitKeys),
      login: entry.login && loginOf(entry.login),
    }),
    backend: { ...defaultBackend, ...given({ protocol }, "protocol"), ...given(backendTls, "ca", "serverName") },
  };
}

function tlsOf({ secretName, clusterIssuer, issuer = "" }: Valid<NonNullable<RouteEntry["tls"]>>): TlsSettings {
  if (secretName !== undefined) {
    return { secretName };
  }
  return clusterIssuer === undefined ? { issuer } : { clusterIssuer };
}

function notifySettingsOf(entry: Valid<NotifyEntry> = {}): NotifySettings {
  const { expiryDays, quotaPercent, webhook, mail } = entry;
  return {
    expiryDays: [...new Set(present(expiryDays ?? defaultNotify.expiryDays))].sort((a, b) => a - b),
    quotaPercent: quotaPercent ?? defaultNotify.quotaPercent,
    ...defined({ webhook: webhook && given(webhook, "url", "token"), mail: mail && mailSettingsOf(mail) }),
  };
}

function mailSettingsOf(entry: Valid<NonNullable<NotifyEntry["mail"]>>): MailSettings {
  const { to, from = "", server = "", security = defaultMailSecurity, port = mailPorts[security] } = entry;
  return { to: present(to), from, server, port, security, ...given(entry, "user", "password") };
}

/** Headers of oauth2-proxy by the claim that they have. */
const headers: Readonly<Record<string, BoardHeader>> = {
  email: "X-Auth-Request-Email",
  preferred_username: "X-Auth-Request-Preferred-Username",
};

/** The board with its defaults. Without a known host or login, as in a file with encrypted values, there is none. */
function boardSettingsOf(
  { host, port, login: own, header, verify, admins }: Valid<BoardEntry>,
  { usernameClaim }: Pick<OidcSettings, "usernameClaim">,
  ofPaths: LoginSettings | undefined,
): BoardSettings | undefined {
  const login = own === undefined ? ofPaths : loginOf(own);
  return host === undefined || login === undefined
    ? undefined
    : {
        host,
        login: { ...login, allow: "members" },
        port: port ?? defaultBoard.port,
        verify: verify ?? defaultBoard.verify,
        header:
          header ?? (Object.hasOwn(headers, usernameClaim) ? headers[usernameClaim] : undefined) ?? defaultBoard.header,
        admins: present(admins),
      };
}

/** The login with its defaults. Without a known address, as in a file with encrypted values, there is none. */
function loginOf({ kind, url, signIn, allow }: Valid<LoginEntry>): LoginSettings | undefined {
  if (kind === undefined || url === undefined) {
    return undefined;
  }
  const allowed = typeof allow === "string" ? allow : allow === undefined ? defaultLogin.allow : present(allow);
  return { kind, url, ...given({ signIn }, "signIn"), allow: allowed };
}
