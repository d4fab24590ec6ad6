import * as k8s from "@pulumi/kubernetes";
import type { Settings } from "../../config/settings.ts";
import { providerArgs } from "./providerArgs.ts";

/** The SDK would add values from the environment, and the stack would show a changed provider on other machines. */
export function clusterProvider(settings: Settings): k8s.Provider {
  const args = providerArgs(settings);
  const keys = Object.keys(args);
  return new k8s.Provider("cluster", args, {
    transformations: [
      ({ props, opts }) => ({
        props: Object.fromEntries(Object.entries(props).filter(([key]) => keys.includes(key))),
        opts,
      }),
    ],
  });
}
