import { type Entry, useStack } from "../program/stack.ts";
import { installGatewayApi } from "../support/definitions/gatewayApi.ts";
import { allowed, imageMembers, images } from "./admission/images.ts";
import { network, networkMembers, networkSettings, networkTypes } from "./admission/network.ts";
import { madeBefore, policies, policyMembers } from "./admission/policies.ts";
import { classes, poolMembers, pools, poolTypes } from "./admission/pools.ts";

const ofImages = imageMembers(allowed);
const memberTypes = { ...poolTypes, ...networkTypes };
const others: readonly Entry[] = [...poolMembers, ...policyMembers, ...networkMembers];

describe("what members' namespaces take", () => {
  const stack = useStack("admission");
  let forgetGatewayApi: (() => Promise<void>) | undefined;
  let first = "";
  const configure = async (members: readonly Entry[] = ofImages, types: Record<string, object> = {}) =>
    await stack.configure([...others, ...members], {
      ...networkSettings,
      contact: "platform@example.org",
      memberTypes: { ...memberTypes, ...types },
    });

  before(async () => {
    forgetGatewayApi = await installGatewayApi(stack.sandbox);
    await stack.sandbox.apply(...classes);
    await madeBefore(stack);
    await configure();
    first = (await stack.upFine()).output;
  });
  after(async () => {
    await Promise.all(classes.map(({ kind, metadata }) => stack.delete(kind.toLowerCase(), metadata.name)));
    await forgetGatewayApi?.();
  });

  // In this order: members' Services, which the others make, would open paths.
  pools(
    stack,
    () => first,
    (types) => configure(ofImages, types),
  );
  images(stack, configure);
  policies(stack);
  network(stack);
});
