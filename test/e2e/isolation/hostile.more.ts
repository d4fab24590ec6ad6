import { useStack } from "../program/stack.ts";
import { afternoon, hostileMembers } from "./hostile/afternoon.ts";

describe("every attempt of a hostile member", () => {
  const stack = useStack("hostile");
  before(async () => {
    await stack.configure(hostileMembers, { contact: "platform@example.org" });
    await stack.upFine();
  });

  afternoon(stack, "all");
});
