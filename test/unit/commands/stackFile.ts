import { stringify } from "yaml";

/** Text of a `Pulumi.<stack>.yaml` with these settings. */
export const stackFile = (settings: Readonly<Record<string, unknown>>, more: object = {}): string =>
  stringify({
    ...more,
    config: Object.fromEntries(Object.entries(settings).map(([key, value]) => [`kubecamp:${key}`, value])),
  });
