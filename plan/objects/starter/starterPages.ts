import type { Member } from "../../../config/model/members/member.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import type { StarterMode } from "../../../config/model/settings/starter.ts";
import { isCaddy } from "../../../config/rules/features/starterRules.ts";
import { memberLabels, starterAnnotation } from "../../../naming/labels.ts";
import { namespaceName, starterPagesName } from "../../../naming/names.ts";
import { caddyFiles } from "../../decisions/starter/names.ts";
import { goneAtOnce } from "../deletion.ts";
import { caddyfile, pageTemplate } from "./caddy.ts";
import { pagesOf } from "./pages.ts";

/**
 * Files that a member's starter app serves, and for Caddy the files that it serves them with.
 * @see https://kubernetes.io/docs/concepts/configuration/configmap/
 */
export function starterPages(member: Member, mode: StarterMode, settings: Settings) {
  const served: Readonly<Record<string, string>> = isCaddy(settings.starter)
    ? { [caddyFiles.config]: caddyfile(member, settings), [caddyFiles.template]: pageTemplate(member) }
    : {};
  return {
    metadata: {
      name: starterPagesName,
      namespace: namespaceName(member),
      labels: memberLabels(member, settings),
      annotations: { ...goneAtOnce, [starterAnnotation]: mode },
    },
    data: { ...pagesOf(member, mode, settings), ...served },
  };
}
