/** Stands for the member's name in `route.host`, `route.path` and `route.backendTls.serverName`. */
export const memberPlaceholder = "{member}";

/** The template with the placeholder replaced. */
export const withMember = (template: string, member: string) => template.replaceAll(memberPlaceholder, member);
