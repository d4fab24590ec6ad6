export type PluginSource = "official" | "stand-in";

/** Where each of Pulumi's two plugins comes from. */
export interface PluginChoice {
  readonly kubernetes: PluginSource;
  readonly languageHost: PluginSource;
}
