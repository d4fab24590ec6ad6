import type { KubernetesObject } from "@kubernetes/client-node";
import { allNamed } from "../../../cluster/kinds/kinds.ts";
import type { Member } from "../../../config/model/settings.ts";
import { starterName, starterPagesName } from "../../../naming/names.ts";
import type { Lists } from "../unread/refusals.ts";

/** What starter apps are made of, by the one name of each; nothing is asked where nobody is to have one. */
export function starterLists(members: readonly Pick<Member, "starter">[], server: Lists) {
  const isWanted = members.some(({ starter }) => starter !== undefined);
  const list = async (request: ReturnType<typeof allNamed>) =>
    isWanted ? await server.list<KubernetesObject>(request) : [];
  return {
    ConfigMap: list(allNamed("ConfigMap", starterPagesName)),
    Deployment: list(allNamed("Deployment", starterName)),
  };
}
