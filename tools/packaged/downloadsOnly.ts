import { Problem } from "../../commands/common/problem.ts";
import type { Substitutes } from "../../sandbox/journey/steps.ts";
import { hasOfficialLanguageHost, type PluginSearch, useOfficialKubernetes } from "../../sandbox/plugins/official.ts";
import type { PluginChoice } from "../../sandbox/plugins/pluginChoice.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

const otherwise =
  "Mend that and run the same command again, or set KUBECAMP_DOWNLOADS to a mirror. Where nothing can be downloaded, clone " +
  "kubecamp's repository, whose sandbox builds the tools by Go.";

/** A package builds nothing, and has no stand-ins for Pulumi's plugins. */
export const downloadsOnly: Substitutes = {
  buildingTitle: (tools) => `Tools: ${tools.length} could not be downloaded`,
  instead: "not there",
  build: async (_tools, { why }) => {
    const reasons = [...Map.groupBy(why, ({ why }) => why)];
    throw new Problem("The sandbox's tools could not all be downloaded.", {
      why: reasons.map(([why, tools]) => `${tools.map(({ tool }) => tool).join(", ")}: ${why}`).join("\n"),
      remedy: otherwise,
    });
  },
  plugins: { choose: officialPlugins, install: async () => undefined },
};

async function officialPlugins(sandbox: Sandbox, search: PluginSearch): Promise<PluginChoice> {
  const why = await useOfficialKubernetes(sandbox, { ...search, persistent: true });
  if (why !== undefined) {
    throw new Problem("Pulumi's plugin for Kubernetes could not be downloaded.", { why, remedy: otherwise });
  }
  if (!hasOfficialLanguageHost(search)) {
    throw new Problem("Pulumi's language host for Node is missing.", {
      why: `There is no pulumi-language-nodejs beside ${search.pulumi} or on the PATH.`,
      remedy: "Install Pulumi whole, or take this pulumi off the PATH: the sandbox then downloads its own.",
    });
  }
  return { kubernetes: "official", languageHost: "official" };
}
