/** Where the member's name goes in `route.host`, `route.path` and `route.backendTls.serverName`. */
export const memberPlaceholder = "{member}";

/** A template with a member's name in the placeholder's stead. */
export const withMember = (template: string, member: string) => template.replaceAll(memberPlaceholder, member);
