import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { memberLabels } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { goneAtOnce } from "./deletion.ts";

/** Metadata of a member's object. Default: in the member's namespace */
export const metadataOf = (
  name: string,
  member: Member,
  settings: Pick<Settings, "stack">,
  namespace = namespaceName(member),
) => ({ name, namespace, labels: memberLabels(member, settings), annotations: goneAtOnce });
