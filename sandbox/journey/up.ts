import { table } from "../../commands/common/table.ts";
import type { MemberStatus } from "../../plan/findings/status.ts";
import type { BringUp } from "../actions.ts";
import { repository } from "../paths.ts";
import { clonePlugins } from "../prepare.ts";
import { buildingTitle } from "../tools/firstBuild.ts";
import { buildFromModules } from "../tools/toolchain.ts";
import { exampleMember, runExample } from "./example.ts";
import { bringUp, readMembers, selectStack } from "./stack.ts";
import { clusterSteps, runSteps, type Substitutes, step } from "./steps.ts";

/** A clone builds tools, and has stand-ins for plugins. */
const substitutes: Substitutes = { instead: "built", build: buildFromModules, buildingTitle, plugins: clonePlugins };

/** Brings up everything: a stack with three members, one with a running application. Safe to repeat. */
export const bringSandboxUp: BringUp = async (sandbox, options, prefix) => {
  const { steps, context } = clusterSteps(sandbox, options, substitutes, repository);
  let members: Record<string, MemberStatus> = {};
  await runSteps([
    ...steps,
    step("Stack 'dev'", async (say, show) => {
      await selectStack(context());
      const { changed, removed } = await bringUp(context(), show);
      const loss = removed.length === 0 ? "" : `; removed ${removed.join(", ")}, not in Pulumi.dev.yaml`;
      say(`Stack 'dev': ${changeWords(changed)}${loss}`);
    }),
    step(`Application of the member ${exampleMember}`, async (say) => {
      say(`Application of the member ${exampleMember}: ${changeWords(await runExample(context()))}`);
      members = await readMembers(context());
    }),
    step("Its route", async (say, show) => {
      if (members[exampleMember]?.state === "ready") {
        return say("Its route: unchanged");
      }
      const { changed } = await bringUp(context(), show);
      members = await readMembers(context());
      return say(`Its route: ${changeWords(changed)}`);
    }),
  ]);
  return `
${membersTable(members)}

Try next:
  eval "$(${prefix}npm run -s sandbox:env)"
  pulumi preview --stack dev
  kubectl get ingress,service -n ingress-nginx`;
};

/** The stack's output `members`, one row each; long reasons are wrapped. */
function membersTable(members: Readonly<Record<string, MemberStatus>>): string {
  const rows = Object.entries(members).map(([name, { type, namespace, state, url, reason }]) => [
    name,
    type,
    namespace,
    state,
    url ?? reason ?? "",
  ]);
  return table([["MEMBER", "TYPE", "NAMESPACE", "STATE", "URL OR REASON"], ...rows], { width: 80, wrapLast: true });
}

function changeWords(changed: boolean): string {
  return changed ? "up" : "unchanged";
}
