import { useStack } from "../program/stack.ts";
import { installDefinitions } from "../support/definitions/definitions.ts";
import { matrix, matrixDefinitions, matrixStack } from "./access/matrix.ts";
import { signIn, signInMembers } from "./access/signIn.ts";
import { afternoon, hostileMembers } from "./hostile/afternoon.ts";

describe("access to a stack", () => {
  let uninstall: (() => Promise<void>) | undefined;
  after(() => uninstall?.());
  const stack = useStack("hostile");
  before(async () => {
    uninstall = await installDefinitions(stack.sandbox, ...matrixDefinitions);
    const { url, clientId, ca } = stack.sandbox.issuer;
    await stack.configure([...hostileMembers, ...signInMembers, ...matrixStack.members], {
      ...{ contact: "platform@example.org", oidc: { issuerUrl: url, clientId, ca } },
      ...matrixStack.settings,
    });
    await stack.makeProject();
    await stack.upFine();
  });

  afternoon(stack, "one of each guard");
  signIn(stack);
  matrix(stack);
});
