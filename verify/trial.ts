import type { Configuration } from "../config/settings.ts";
import type { Part } from "./outcome.ts";
import type { Stage } from "./stage/stage.ts";

export interface TrialOptions {
  readonly only: readonly Part[];
  /** Image of the pods that try the network, with `sh`, `nc`, `nslookup` and `httpd` as BusyBox has them. */
  readonly image: string;
}

/** What a trial of a part has to go by. */
export interface Trial {
  readonly stage: Stage;
  readonly configuration: Configuration;
  readonly options: TrialOptions;
}
