type Named = { readonly name: string };

/**
 * Names by which Pulumi's state knows a member's resources, where something else than the resource itself goes by them.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#logicalname
 */
export const logicalNames = {
  namespace: ({ name }: Named) => `${name}/namespace`,
  /** The Service that kubecamp makes in their namespace. */
  service: ({ name }: Named) => `${name}/service`,
  /** How the names begin of what their open route is made of. */
  route: ({ name }: Named) => `${name}/route/`,
};
