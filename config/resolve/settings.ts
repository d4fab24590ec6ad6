import { controllers } from "../model/controllers.ts";
import type { RouteEntry, SettingsEntry } from "../model/entries.ts";
import { whole } from "../model/maps.ts";
import type { RouteSettings, Settings, StarterSettings, TlsSettings } from "../model/settings.ts";
import type { Valid } from "../schema/issues.ts";
import { memberPlaceholder } from "../schema/route.ts";
import { standardContact } from "../schema/settings.ts";
import { storageSettingsOf } from "./buckets.ts";
import { given } from "./given.ts";
import { starterSettingsOf } from "./starter.ts";

/**
 * The settings with every default filled in.
 * @param pages those of `starter.pagesFolder`; undefined where it is not set
 */
export function settingsOf(stack: string, entry: Valid<SettingsEntry>, pages?: StarterSettings["pages"]): Settings {
  const { maxRemovals } = entry.offboarding ?? {};
  const { shards: count, shardOf: family = stack } = entry;
  return {
    stack,
    ...(count === undefined ? {} : { shards: { family, count } }),
    cluster: {
      ...(entry.cluster?.context === undefined ? {} : { context: entry.cluster.context }),
      ...(entry.cluster?.id === undefined ? {} : { id: entry.cluster.id }),
      ...(entry.cluster?.domain === undefined ? {} : { domain: entry.cluster.domain }),
    },
    oidc: {
      ...given(entry.oidc ?? {}, "issuerUrl", "clientId", "ca"),
      usernameClaim: entry.oidc?.usernameClaim ?? "sub",
      groupsClaim: entry.oidc?.groupsClaim ?? "groups",
      scopes: whole(entry.oidc?.scopes),
      usernamePrefix: entry.oidc?.usernamePrefix ?? "oidc:",
      groupsPrefix: entry.oidc?.groupsPrefix ?? "oidc:",
    },
    route: routeSettingsOf(entry.route ?? {}),
    network: {
      ingressPodLabels: entry.network?.ingressPodLabels ?? {},
      dnsNamespace: entry.network?.dnsNamespace ?? "kube-system",
      dnsPodLabels: entry.network?.dnsPodLabels ?? { "k8s-app": "kube-dns" },
      nodeLocalDns: whole(entry.network?.nodeLocalDns),
    },
    contact: entry.contact ?? standardContact,
    starter: starterSettingsOf(entry.starter, pages),
    ...(entry.storage === undefined ? {} : { storage: storageSettingsOf(entry.storage) }),
    offboarding: maxRemovals === undefined ? {} : { maxRemovals },
  };
}

function routeSettingsOf(entry: Valid<RouteEntry>): RouteSettings {
  const controller = entry.controller ?? "ingress-nginx";
  const names = controllers[controller];
  const { gateway, tls, backendTls } = entry;
  const usual = entry.kind === "gateway" ? gateway?.namespace : undefined;
  const namespace = entry.namespace ?? usual ?? names.namespace;
  return {
    kind: entry.kind ?? "ingress",
    controller,
    namespace,
    className: entry.className ?? names.className,
    ...(gateway?.name === undefined
      ? {}
      : {
          gateway: {
            name: gateway.name,
            namespace: gateway.namespace ?? namespace,
            ...(gateway.sectionName === undefined ? {} : { sectionName: gateway.sectionName }),
          },
        }),
    rewrite: entry.rewrite ?? "none",
    ...(tls === undefined ? {} : { tls: tlsOf(tls) }),
    backend: {
      protocol: entry.backendProtocol ?? "HTTP",
      ...(backendTls?.ca === undefined ? {} : { ca: backendTls.ca }),
      serverName: backendTls?.serverName ?? `${memberPlaceholder}-svc.${memberPlaceholder}.svc`,
    },
  };
}

function tlsOf({ secretName, clusterIssuer, issuer = "" }: Valid<NonNullable<RouteEntry["tls"]>>): TlsSettings {
  if (secretName !== undefined) {
    return { secretName };
  }
  return clusterIssuer === undefined ? { issuer } : { clusterIssuer };
}
