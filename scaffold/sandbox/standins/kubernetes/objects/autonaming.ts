import type * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import type { Autonaming } from "./naming.ts";

export function autonaming(options: messages.CheckRequest.AutonamingOptions | undefined): Autonaming | undefined {
  if (!options) return undefined;
  const { DISABLE } = providerMessages.CheckRequest.AutonamingOptions.Mode;
  return { disabled: options.getMode() === DISABLE, proposedName: options.getProposedName() };
}
