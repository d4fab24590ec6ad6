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
  /** Without what is encrypted. */
  readonly configuration: Configuration;
  /** Whether something that names people is encrypted or comes from an environment, and so is missing here. Default: no. */
  readonly isPart?: boolean | undefined;
  /** The configuration with what is encrypted. Default: there is nothing. @throws RunError where Pulumi can't decrypt it */
  readonly opened?: () => Promise<Configuration>;
  readonly options: TrialOptions;
}
