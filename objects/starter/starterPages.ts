import type { Member } from "../../config/member/member.ts";
import type { StarterMode } from "../../config/member/types.ts";
import { starterAnnotation } from "../../config/names/labels.ts";
import { namespaceName, routedPort, routeUrl, serviceName, starterPagesName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { indexPage, isCaddy } from "../../config/starter.ts";
import { ownAnnotations } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import { caddyfile, pageTemplate } from "./caddy.ts";
import { limitsTable } from "./limitsTable.ts";
import { caddyFiles } from "./names.ts";
import { standardPage } from "./standardPage.ts";

/**
 * Files that a member's starter app serves, and for Caddy the files that it serves them with.
 * @see https://kubernetes.io/docs/concepts/configuration/configmap/
 */
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

/** A member's pages by name: the stack's pages, with the member's values for the placeholders. */
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
