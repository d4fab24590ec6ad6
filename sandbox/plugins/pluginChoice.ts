type PluginSource = "official" | "stand-in";

/** The sources of Pulumi's two plugins. */
export interface PluginChoice {
  readonly kubernetes: PluginSource;
  readonly languageHost: PluginSource;
}

export function pluginWords({ kubernetes, languageHost }: PluginChoice): string {
  return `Kubernetes plugin: ${kubernetes}, language host: ${languageHost}`;
}
