import { useStack } from "../program/stack.ts";
import { ciAudience, gitlabIssuer } from "../support/signIn/issuer.ts";
import { pipelineMembers, pipelines } from "./people/pipelines.ts";
import { several, severalMembers } from "./people/several.ts";
import { staff, staffMembers, staffRights, staffTypes } from "./people/staff.ts";

describe("people and jobs beside members", () => {
  const stack = useStack("people");
  const settings = () => {
    const { url, ca, clientId } = stack.sandbox.issuer;
    const school = { kind: "gitlab", issuerUrl: url + gitlabIssuer, ca };
    return {
      memberTypes: staffTypes,
      ci: { audience: ciAudience, issuers: { school } },
      oidc: { issuerUrl: url, clientId, ca },
    };
  };
  before(async () => {
    await stack.configure([...staffMembers, ...pipelineMembers, ...severalMembers], { ...settings(), staff });
    await stack.makeProject();
    await stack.upFine();
  });

  several(stack, [...staffMembers, ...pipelineMembers], () => ({ ...settings(), staff }));
  staffRights(stack, pipelineMembers, settings);
  pipelines(stack, staffMembers, settings);
});
